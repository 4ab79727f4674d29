"""The documentation against the repository: links lead somewhere, nothing is said twice, and code that is shown is code
that is compiled.

A code block after the line `<!-- FILE [NAME] -->` must be what FILE has between its two lines `// [NAME]`.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
pages = [*root.glob("*.md"), *root.glob("docs/*.md")]


def part(path, name):
    pieces = (root / path).read_text().split(f"// [{name}]\n")
    return pieces[1] if len(pieces) == 3 else None


def complaints(page):
    text = page.read_text()
    for path, name, code in re.findall(r"<!-- (\S+) \[(\w+)\] -->\n```cpp\n(.*?)```", text, re.S):
        expected = part(path, name)
        if expected is None:
            yield f"{path} has no part [{name}]"
        elif code != expected:
            yield f"the code is not that of {path} [{name}]"
    blocks = [block for block in re.sub(r"```.*?```", "", text, flags=re.S).split("\n\n") if len(block) > 100]
    for block in {block for block in blocks if blocks.count(block) > 1}:
        yield f"says twice: {block[:60]!r}"
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", re.sub(r"```.*?```", "", text, flags=re.S)):
        if "://" not in target and not (page.parent / target).exists():
            yield f"the link to {target} leads nowhere"


found = [f"{page.relative_to(root)}: {words}" for page in sorted(pages) for words in complaints(page)]
for line in found:
    print(line)
if not pages or found:
    sys.exit(1)
print(f"{len(pages)} pages")
