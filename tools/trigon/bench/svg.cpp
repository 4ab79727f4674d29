// GFLOP/s over size, one panel per routine, variant and shape: plain SVG for a README.
// Nothing is painted behind it and text is mid-grey, so that it reads on light and on dark pages.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>

#include "trigon/bench/report.hpp"

namespace trigon::bench {
namespace {

struct Point {
  double x, y;
};
struct Panel {
  std::string title;
  std::string x_label;
  double peak = 0;
  std::vector<std::pair<std::string, std::vector<Point>>> series;

  std::vector<Point>& of(const std::string& name) {
    for (auto& [known, points] : series)
      if (known == name) return points;
    return series.emplace_back(name, std::vector<Point>{}).second;
  }
};

constexpr int width = 380, height = 270, left = 46, right = 14, top = 34, bottom = 40, legend = 44, columns = 2;

std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", v);
  return text;
}
std::string fixed(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", v);
  return text;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

std::string colour(const std::string& name, std::size_t peer) {
  if (name == "trigon") return "#2f7fe6";
  constexpr const char* peers[] = {"#e0701f", "#9a62d8", "#2f9e6b", "#c9477e", "#a8862a", "#5b8a9e"};
  return peers[peer % std::size(peers)];
}

/// What a row is plotted over, with the rest of it as the panel's title.
std::tuple<std::string, std::string, double> place(const Row& row) {
  const Call& c = row.call;
  const bool is_left = c.side == Side::Left;
  std::string title = routine(c) + " " + variant(c);
  std::string x_label = "n";
  double x = static_cast<double>(c.n);
  if (row.shape == "few-rhs") {
    const index order = is_left ? c.m : c.n;
    x = static_cast<double>(is_left ? c.n : c.m);
    x_label = "right-hand sides";
    title += ", triangle of order " + std::to_string(order);
  } else if (row.shape == "left-wide") {
    x = static_cast<double>(c.m);
    x_label = "m";
    title += ", " + std::to_string(c.n) + " columns";
  } else if (row.shape == "right-tall") {
    title += ", " + std::to_string(c.m) + " rows";
  } else if (row.shape == "low-rank") {
    title += ", k = " + std::to_string(c.k);
  }
  if (c.layout == Layout::RowMajor) title += ", row-major";
  const index rows = std::max<index>(1, extent(c, Argument::A).rows);
  if (c.lda % 512 == 0 && c.lda > rows) title += ", ld a multiple of 512";
  if (is_vector(c.operation) && c.incx != 1) title += ", increment " + std::to_string(c.incx);
  if (row.threads > 1) title += ", " + std::to_string(row.threads) + " threads";
  return {title, x_label, x};
}

std::vector<Panel> panels(const std::vector<Result>& results) {
  std::vector<Panel> list;
  for (const Result& r : results) {
    if (r.row.shape == "random" || r.row.shape == "replay" || r.row.shape == "call") continue;
    const auto [title, x_label, x] = place(r.row);
    auto found = std::find_if(list.begin(), list.end(), [&, t = title](const Panel& p) { return p.title == t; });
    if (found == list.end()) found = list.insert(list.end(), Panel{title, x_label, 0, {}});
    found->peak = std::max(found->peak, r.peak * 1e-9);
    for (const Timing& t : r.timings)
      if (t.ran && t.checked.right) found->of(t.name).push_back({x, r.gflops(t)});
  }
  std::erase_if(list, [](const Panel& p) {
    return std::all_of(p.series.begin(), p.series.end(), [](const auto& s) { return s.second.size() < 2; });
  });
  for (Panel& p : list)
    for (auto& [name, points] : p.series)
      std::sort(points.begin(), points.end(), [](Point a, Point b) { return a.x < b.x; });
  return list;
}

/// The next of 1, 2, 2.5, 5 × 10^k that divides `top` into about four steps.
double step_for(double largest) {
  const double raw = largest / 4;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double m : {1.0, 2.0, 2.5, 5.0})
    if (m * power >= raw) return m * power;
  return 10 * power;
}

std::string draw(const Panel& panel, int x0, int y0, const std::vector<std::string>& names) {
  double low = 1e300, high = 0, largest = 0;
  std::vector<double> xs;
  for (const auto& [name, points] : panel.series)
    for (const Point& p : points) {
      low = std::min(low, p.x), high = std::max(high, p.x), largest = std::max(largest, p.y);
      if (std::find(xs.begin(), xs.end(), p.x) == xs.end()) xs.push_back(p.x);
    }
  std::sort(xs.begin(), xs.end());
  const bool show_peak = panel.peak < 1.6 * largest;
  const double step = step_for(show_peak ? std::max(largest, panel.peak) : largest);
  const double y_top = std::ceil((show_peak ? std::max(largest, panel.peak) : largest) * 1.02 / step) * step;
  const double px = x0 + left, py = y0 + top, pw = width - left - right, ph = height - top - bottom;
  const double span = std::log2(high / low);
  const auto sx = [&](double x) { return px + (span > 0 ? std::log2(x / low) / span : 0.5) * pw; };
  const auto sy = [&](double y) { return py + ph - y / y_top * ph; };

  std::string out =
      "<text class='t' x='" + fixed(px) + "' y='" + fixed(y0 + 20) + "'>" + escaped(panel.title) + "</text>\n";
  for (double y = 0; y <= y_top * 1.0001; y += step) {
    out += "<path class='g' d='M" + fixed(px) + " " + fixed(sy(y)) + "h" + fixed(pw) + "'/>";
    out += "<text class='n' text-anchor='end' x='" + fixed(px - 6) + "' y='" + fixed(sy(y) + 4) + "'>" + number(y) +
           "</text>\n";
  }
  double last = -100;
  for (const double x : xs) {
    if (sx(x) - last < 34 && x != xs.back()) continue;
    if (x == xs.back() && sx(x) - last < 26) continue;
    last = sx(x);
    out += "<text class='n' text-anchor='middle' x='" + fixed(sx(x)) + "' y='" + fixed(py + ph + 16) + "'>" +
           number(x) + "</text>\n";
  }
  out += "<text class='n' text-anchor='middle' x='" + fixed(px + pw / 2) + "' y='" + fixed(py + ph + 32) + "'>" +
         panel.x_label + "</text>\n";
  if (show_peak) {
    out += "<path class='p' d='M" + fixed(px) + " " + fixed(sy(panel.peak)) + "h" + fixed(pw) + "'/>";
    out += "<text class='n' x='" + fixed(px + 4) + "' y='" + fixed(sy(panel.peak) - 4) + "'>peak</text>\n";
  }
  // Trigon last, on top of the others.
  for (std::size_t pass = 0; pass < 2; ++pass)
    for (const auto& [name, points] : panel.series) {
      if ((name == "trigon") != (pass == 1)) continue;
      const auto at = std::find(names.begin(), names.end(), name) - names.begin();
      const std::string c = colour(name, static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, at - 1)));
      std::string line;
      for (const Point& p : points) line += (line.empty() ? "" : " ") + fixed(sx(p.x)) + "," + fixed(sy(p.y));
      out += "<polyline fill='none' stroke='" + c + "' stroke-width='" + (pass ? "2.6" : "1.6") +
             "' stroke-linejoin='round' points='" + line + "'/>\n";
      for (const Point& p : points)
        out += "<circle cx='" + fixed(sx(p.x)) + "' cy='" + fixed(sy(p.y)) + "' r='" + (pass ? "3" : "2.2") +
               "' fill='" + c + "'/>";
      out += "\n";
    }
  return out;
}

}  // namespace

std::string to_svg(const std::vector<Result>& results, const std::string& subtitle) {
  const std::vector<Panel> list = panels(results);
  if (list.empty()) return {};
  std::vector<std::string> names = {"trigon"};
  for (const Panel& p : list)
    for (const auto& [name, points] : p.series)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  const int across = std::min<int>(columns, static_cast<int>(list.size()));
  const int down = (static_cast<int>(list.size()) + across - 1) / across;
  const int total_width = across * width, total_height = legend + down * height + 22;
  std::string out =
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " + std::to_string(total_width) + " " +
      std::to_string(total_height) + "' width='" + std::to_string(total_width) + "' height='" +
      std::to_string(total_height) + "' role='img' aria-label='GFLOP/s over size'>\n" +
      "<style>text{font-family:system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;fill:#7a828e}"
      ".t{font-size:13px;font-weight:600}.n{font-size:11px}.l{font-size:13px;font-weight:600}"
      ".g{stroke:#7a828e;stroke-opacity:.25;fill:none}.p{stroke:#7a828e;stroke-dasharray:4 4;fill:none}"
      "</style>\n";
  double x = left;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string c = colour(names[i], i - (i > 0));
    out += "<path d='M" + fixed(x) + " 20h20' stroke='" + c + "' stroke-width='" + (i ? "1.6" : "2.6") +
           "'/><circle cx='" + fixed(x + 10) + "' cy='20' r='3' fill='" + c + "'/>";
    out += "<text class='l' x='" + fixed(x + 26) + "' y='24.5'>" + escaped(names[i]) + "</text>\n";
    x += 44 + 8.0 * static_cast<double>(names[i].size());
  }
  out += "<text class='n' x='" + fixed(x + 4) + "' y='24.5'>GFLOP/s</text>\n";
  for (std::size_t i = 0; i < list.size(); ++i)
    out += draw(list[i], static_cast<int>(i) % across * width, legend + static_cast<int>(i) / across * height, names);
  out += "<text class='n' x='" + fixed(left) + "' y='" + fixed(total_height - 8) + "'>" + escaped(subtitle) +
         "</text>\n</svg>\n";
  return out;
}

}  // namespace trigon::bench
