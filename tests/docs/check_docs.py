"""The documentation against the repository: links and their anchors lead somewhere, nothing is said twice, and code
that is shown is code that is compiled.

A code block after the line `<!-- FILE [NAME] -->` must be what FILE has between its two lines `// [NAME]`.
"""
import functools
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
pages = [*root.glob("*.md"), *root.glob("docs/*.md")]


def part(path, name):
    pieces = (root / path).read_text().split(f"// [{name}]\n")
    return pieces[1] if len(pieces) == 3 else None


def without_code(text):
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.S | re.M)


@functools.cache
def anchors(page):
    """What GitHub makes of the headings of a page: letters, digits, _ and -, a number behind one that comes again."""
    found = set()
    for heading in re.findall(r"^#{1,6} +(.*?)#* *$", without_code(page.read_text()), re.M):
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        number, anchor = 0, slug
        while anchor in found:
            number += 1
            anchor = f"{slug}-{number}"
        found.add(anchor)
    return found


def complaints(page):
    text = page.read_text()
    for path, name, code in re.findall(r"<!-- (\S+) \[(\w+)\] -->\n```cpp\n(.*?)```", text, re.S):
        expected = part(path, name)
        if expected is None:
            yield f"{path} has no part [{name}]"
        elif code != expected:
            yield f"the code is not that of {path} [{name}]"
    prose = without_code(text)
    blocks = [block for block in prose.split("\n\n") if len(block) > 100]
    for block in {block for block in blocks if blocks.count(block) > 1}:
        yield f"says twice: {block[:60]!r}"
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", prose):
        if "://" in target:
            continue
        to = (page.parent / target).resolve() if target else page
        if not to.exists():
            yield f"the link to {target} leads nowhere"
        elif anchor and to.suffix == ".md" and anchor not in anchors(to):
            yield f"{target} has no heading #{anchor}"


found = [f"{page.relative_to(root)}: {words}" for page in sorted(pages) for words in complaints(page)]
for line in found:
    print(line)
if not pages or found:
    sys.exit(1)
print(f"{len(pages)} pages")
