//! The drawing: four panels on logarithmic axes.

use crate::Figure;

const COLORS: [&str; 5] = ["#0b61a4", "#8a6d3b", "#2e7d32", "#c62828", "#6a3d9a"];
/// The inner size of a panel.
const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 240.0;
/// A 60th of a second.
const FRAME: f64 = 1e3 / 60.0;

struct Line {
    name: String,
    points: Vec<(f64, f64)>,
}

struct Panel<'a> {
    title: &'a str,
    across: &'a str,
    up: &'a str,
    lines: Vec<Line>,
    /// A value that is marked, and what it is.
    mark: Option<(f64, &'a str)>,
    /// Whether the upward axis begins at 0 and is not logarithmic.
    is_even: bool,
    /// Where the names of the lines stand, inside the panel.
    names: (f64, f64),
}

/// The figure as an SVG file.
pub(crate) fn draw(figures: &[Figure]) -> String {
    let of = |what: &'static str| figures.iter().filter(move |figure| figure.what == what);
    // Of one thread: what it spends does not depend on what else runs.
    let by_triangles = |what: &'static str, factor: f64, name: &str| Line {
        name: name.to_owned(),
        points: of(what)
            .filter(|figure| figure.threads <= 1)
            .map(|figure| (figure.triangles as f64, figure.value * factor))
            .collect(),
    };
    let mut levels: Vec<usize> = of("tick").map(|figure| figure.triangles).collect();
    levels.dedup();
    let crowds = levels.iter().rev().map(|triangles| Line {
        name: format!("{} triangles", short(*triangles as f64)),
        points: of("tick")
            .filter(|figure| figure.threads == 1 && figure.triangles == *triangles)
            .map(|figure| (figure.characters as f64, figure.value * 1e3))
            .collect(),
    });
    let panels = [
        Panel {
            title: "Casts of a ball, one thread",
            across: "triangles",
            up: "casts per second",
            lines: vec![
                by_triangles("cast", 1.0, "one by one"),
                by_triangles("batch", 1.0, "20,000 at once"),
            ],
            mark: None,
            is_even: false,
            names: (20.0, 20.0),
        },
        Panel {
            title: "A tick of a crowd, one thread",
            across: "characters",
            up: "milliseconds",
            lines: crowds.collect(),
            mark: Some((FRAME, "60 Hz")),
            is_even: false,
            names: (240.0, 150.0),
        },
        Panel {
            title: "Building a level, one thread",
            across: "triangles",
            up: "milliseconds",
            lines: vec![
                by_triangles("build", 1e3, "the tree"),
                by_triangles("connect", 1e3, "before it: checking, welding, connecting"),
            ],
            mark: None,
            is_even: false,
            names: (20.0, 20.0),
        },
        Panel {
            title: "Memory of a level, mesh and tree",
            across: "triangles",
            up: "bytes per triangle",
            lines: vec![by_triangles("memory", 1.0, "")],
            mark: None,
            is_even: true,
            names: (20.0, 20.0),
        },
    ];
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 720\" width=\"1000\" height=\"720\" \
         font-family=\"Helvetica, Arial, sans-serif\" font-size=\"14\" fill=\"#222\">\n  \
         <title>How cost grows</title>\n  \
         <desc>Casts per second, milliseconds a tick, milliseconds to build and bytes per triangle, over the size of the level \
         or of the crowd; the numbers are in scaling.csv.</desc>\n  \
         <rect width=\"1000\" height=\"720\" fill=\"#fff\"/>\n",
    );
    for (place, panel) in panels.iter().enumerate() {
        let (left, top) = (90.0 + 490.0 * (place % 2) as f64, 50.0 + 350.0 * (place / 2) as f64);
        panel.draw(&mut svg, left, top);
    }
    svg.push_str("</svg>\n");
    svg
}

impl Panel<'_> {
    fn draw(&self, svg: &mut String, left: f64, top: f64) {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let across = Axis::logarithmic(points().map(|point| point.0));
        let marked = self.mark.map(|(value, _)| value);
        let values = points().map(|point| point.1).chain(marked);
        let up = if self.is_even { Axis::from_zero(values) } else { Axis::logarithmic(values) };
        let x = |value: f64| WIDTH * across.share(value);
        let y = |value: f64| HEIGHT * (1.0 - up.share(value));
        let mut add = |text: String| {
            svg.push_str("    ");
            svg.push_str(&text);
            svg.push('\n');
        };
        add(format!("<g transform=\"translate({left} {top})\">"));
        add(format!("<text x=\"0\" y=\"-20\" font-weight=\"bold\">{}</text>", self.title));
        for tick in across.ticks() {
            let x = x(tick);
            add(format!("<path d=\"M{x:.1} 0V{HEIGHT}\" stroke=\"#ddd\"/>"));
            add(format!(
                "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" font-size=\"12\">{}</text>",
                HEIGHT + 18.0,
                short(tick)
            ));
        }
        for tick in up.ticks() {
            let y = y(tick);
            add(format!("<path d=\"M0 {y:.1}H{WIDTH}\" stroke=\"#ddd\"/>"));
            add(format!(
                "<text x=\"-8\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"12\">{}</text>",
                y + 4.0,
                short(tick)
            ));
        }
        let middle = HEIGHT / 2.0;
        add(format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            WIDTH / 2.0,
            HEIGHT + 40.0,
            self.across
        ));
        add(format!(
            "<text transform=\"translate(-58 {middle}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            self.up
        ));
        if let Some((value, name)) = self.mark {
            let y = y(value);
            add(format!("<path d=\"M0 {y:.1}H{WIDTH}\" stroke=\"#222\" stroke-dasharray=\"6 4\"/>"));
            add(format!("<text x=\"6\" y=\"{:.1}\" font-size=\"12\">{name}: {value:.1} ms</text>", y - 6.0));
        }
        for (number, line) in self.lines.iter().enumerate() {
            let color = COLORS[number % COLORS.len()];
            let way: Vec<String> =
                line.points.iter().map(|&(a, b)| format!("{:.1},{:.1}", x(a), y(b))).collect();
            add(format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
                way.join(" ")
            ));
            for &(a, b) in &line.points {
                add(format!("<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{color}\"/>", x(a), y(b)));
            }
            if self.lines.len() == 1 {
                continue;
            }
            let (at, height) = (self.names.0, self.names.1 + 18.0 * number as f64);
            add(format!("<circle cx=\"{at}\" cy=\"{}\" r=\"3.5\" fill=\"{color}\"/>", height - 4.0));
            add(format!(
                "<text x=\"{}\" y=\"{height}\" font-size=\"12\" fill=\"{color}\">{}</text>",
                at + 10.0,
                line.name
            ));
        }
        add("</g>".to_owned());
    }
}

/// From where to where an axis goes; powers of ten if it is logarithmic.
struct Axis {
    low: f64,
    high: f64,
    is_logarithmic: bool,
}

impl Axis {
    fn logarithmic(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values.filter(|value| *value > 0.0).fold((f64::INFINITY, 0.0), extend);
        // A level of 968 triangles is one of a thousand.
        let (low, high) = ((log10(low) + 0.05).floor(), (log10(high) - 0.05).ceil());
        Self { low, high: if high > low { high } else { low + 1.0 }, is_logarithmic: true }
    }

    fn from_zero(values: impl Iterator<Item = f64>) -> Self {
        let (_, high) = values.fold((0.0, 1.0), extend);
        Self { low: 0.0, high: 20.0 * (high / 20.0).ceil(), is_logarithmic: false }
    }

    fn share(&self, value: f64) -> f64 {
        let value = if self.is_logarithmic { log10(value) } else { value };
        (value - self.low) / (self.high - self.low)
    }

    fn ticks(&self) -> Vec<f64> {
        if self.is_logarithmic {
            (self.low as i32..=self.high as i32).map(power_of_ten).collect()
        } else {
            (0..=(self.high / 20.0) as u32).map(|step| 20.0 * f64::from(step)).collect()
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a drawing decides nothing")]
fn power_of_ten(power: i32) -> f64 {
    10f64.powi(power)
}

fn extend((low, high): (f64, f64), value: f64) -> (f64, f64) {
    (low.min(value), high.max(value))
}

#[expect(clippy::disallowed_methods, reason = "a drawing decides nothing")]
fn log10(value: f64) -> f64 {
    value.log10()
}

/// A number as short as it gets: 10k, 3M.
fn short(value: f64) -> String {
    let whole = |value: f64| format!("{}", (value * 10.0).round() / 10.0);
    if value >= 999_500.0 {
        format!("{}M", whole((value / 1e5).round() / 10.0))
    } else if value >= 950.0 {
        format!("{}k", whole((value / 100.0).round() / 10.0))
    } else if value >= 1.0 || value == 0.0 {
        whole(value)
    } else {
        format!("{value}")
    }
}
