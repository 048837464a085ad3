//! The results, as rows of a CSV file and as a table to read.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};

/// One number.
#[derive(Clone, Debug)]
pub struct Row {
    /// `W1` to `W13`.
    pub workload: &'static str,
    /// The variant of the work: the level and the shape.
    pub variant: String,
    /// The library.
    pub engine: &'static str,
    /// How it was set up, if there is more than one way.
    pub setup: &'static str,
    /// The measured quantity.
    pub metric: &'static str,
    /// The number.
    pub value: f64,
    /// Of what.
    pub unit: &'static str,
    /// How many tasks the machine was at, on average over the last minute.
    pub load: f64,
}

/// All of them.
#[derive(Default)]
pub struct Table {
    rows: Vec<Row>,
}

/// The measurement that a row belongs to.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    pub workload: &'static str,
    pub variant: &'a str,
    pub engine: &'static str,
    pub setup: &'static str,
}

impl Table {
    /// Takes in the numbers of one library, and prints them.
    pub fn add(&mut self, subject: &Subject, numbers: &[(&'static str, f64, &'static str)]) {
        let &Subject { workload, variant, engine, setup } = subject;
        let name = if setup.is_empty() { engine.to_owned() } else { format!("{engine} ({setup})") };
        let texts: Vec<String> = numbers
            .iter()
            .map(|(metric, value, unit)| format!("{metric} {}{}{unit}", short(*value), gap(unit)))
            .collect();
        println!("{workload:3} {variant:24} {name:44} {}", texts.join(", "));
        let load = load();
        for &(metric, value, unit) in numbers {
            let variant = variant.to_owned();
            self.rows.push(Row { workload, variant, engine, setup, metric, value, unit, load });
        }
    }

    /// All numbers of this name that a workload gave, of the libraries whose names begin so.
    pub fn find(&self, workload: &str, variant: &str, engine: &str, metric: &str) -> Vec<&Row> {
        self.rows
            .iter()
            .filter(|row| {
                row.workload == workload
                    && row.variant == variant
                    && row.engine.starts_with(engine)
                    && row.metric == metric
            })
            .collect()
    }

    /// Writes all rows as a CSV file: a head, then one number a line. Texts with a comma are quoted.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let file = fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut file = std::io::BufWriter::new(file);
        writeln!(file, "workload,variant,engine,setup,metric,value,unit,load")?;
        for row in &self.rows {
            let &Row { workload, ref variant, engine, setup, metric, value, unit, load } = row;
            let [variant, setup] = [variant, setup].map(quoted);
            writeln!(file, "{workload},{variant},{engine},{setup},{metric},{value},{unit},{load}")?;
        }
        file.flush()?;
        Ok(())
    }
}

fn quoted(text: &str) -> String {
    if text.contains(',') { format!("\"{text}\"") } else { text.to_owned() }
}

/// Three significant digits; integers as they are.
fn short(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if value.fract() == 0.0 => format!("{value}"),
        ..1e-3 => format!("{value:.1e}"),
        1e-3..1.0 => format!("{value:.3}"),
        1.0..100.0 => format!("{value:.2}"),
        _ => format!("{value:.0}"),
    }
}

fn gap(unit: &str) -> &'static str {
    if unit.is_empty() { "" } else { " " }
}

/// The load average of the last minute; not a number where the system has none.
pub fn load() -> f64 {
    fs::read_to_string("/proc/loadavg")
        .ok()
        .and_then(|text| text.split(' ').next().and_then(|first| first.parse().ok()))
        .unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_three_digits() {
        assert_eq!(
            [0.0, 13.0, 1.2345, 0.01234, 2.34e-5, 1234.5].map(short),
            ["0", "13", "1.23", "0.012", "2.3e-5", "1234"]
        );
        assert_eq!((quoted("a, b").as_str(), quoted("a").as_str()), ("\"a, b\"", "a"));
    }
}
