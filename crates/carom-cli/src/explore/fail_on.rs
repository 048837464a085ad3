//! Which findings make the command fail.

use carom_explore::{Code, Severity};

/// The codes of `--fail-on`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FailOn(Vec<Code>);

impl FailOn {
    pub(crate) fn includes(&self, code: Code) -> bool {
        self.0.contains(&code)
    }

    /// By the name of a code, as reports have it.
    pub(crate) fn includes_name(&self, name: &str) -> bool {
        self.0.iter().any(|code| code.name() == name)
    }
}

impl std::str::FromStr for FailOn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut codes = Vec::new();
        for word in text.split(',').map(str::trim) {
            let before = codes.len();
            let is = |name: &str| word.eq_ignore_ascii_case(name);
            codes.extend(Code::ALL.into_iter().filter(|code| {
                is(code.name()) || is("warning") || is("error") && code.severity() == Severity::Error
            }));
            if codes.len() == before && !is("none") {
                let names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
                return Err(format!(
                    "{word:?} is no code: use {}, or error, warning (those and errors), none",
                    names.join(", ")
                ));
            }
        }
        Ok(Self(codes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_severities_are_read_and_what_is_neither_is_named() {
        let errors: FailOn = "error".parse().unwrap();
        assert!(errors.includes(Code::Stuck) && !errors.includes(Code::Snag));
        let some: FailOn = "fall_out, SNAG".parse().unwrap();
        assert!(some.includes(Code::FallOut) && some.includes(Code::Snag) && !some.includes(Code::Trap));
        assert!("warning".parse::<FailOn>().unwrap().includes(Code::FallOut));
        assert_eq!("none".parse::<FailOn>().unwrap().0, []);
        assert!("FALLOUT".parse::<FailOn>().unwrap_err().contains("\"FALLOUT\" is no code"));
    }
}
