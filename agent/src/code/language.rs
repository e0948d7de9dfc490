//! The languages: which program runs each, and how that is told what to run.
use crate::relay::wire::RunCode;
use serde_json::json;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    Python,
    JavaScript,
    TypeScript,
    Bash,
    Java,
}

/// What runs a language: given the text of ours as descriptor 4.
pub struct Program {
    pub words: &'static [&'static str],
    pub text: &'static str,
    /// It hears on standard input as well.
    pub on_stdin: bool,
}

const NODE: &str = "eval(require('fs').readFileSync(4, 'utf8'))";

impl Language {
    pub const ALL: [Language; 5] = [
        Language::Python,
        Language::JavaScript,
        Language::TypeScript,
        Language::Bash,
        Language::Java,
    ];

    pub fn of(name: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|it| it.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Language::Python => "python",
            Language::JavaScript => "javascript",
            Language::TypeScript => "typescript",
            Language::Bash => "bash",
            Language::Java => "java",
        }
    }

    pub fn program(self) -> Program {
        match self {
            Language::Python => Program {
                words: &[
                    "python3",
                    "-c",
                    "import os;exec(compile(os.fdopen(4).read(),'<bivouac>','exec'))",
                ],
                text: include_str!("kernels/kernel.py"),
                on_stdin: false,
            },
            Language::JavaScript => Program {
                words: &["node", "--expose-internals", "--no-warnings", "-e", NODE],
                text: include_str!("kernels/kernel.js"),
                on_stdin: false,
            },
            Language::TypeScript => Program {
                words: &[
                    "node",
                    "--expose-internals",
                    "--no-warnings",
                    "-e",
                    NODE,
                    "--",
                    "typescript",
                ],
                text: include_str!("kernels/kernel.js"),
                on_stdin: false,
            },
            Language::Bash => Program {
                words: &[
                    "bash",
                    "--noprofile",
                    "--rcfile",
                    "/dev/fd/4",
                    "--noediting",
                    "-i",
                ],
                text: include_str!("kernels/kernel.bash"),
                on_stdin: true,
            },
            Language::Java => Program {
                words: &[
                    "java",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "--add-opens",
                    "java.base/java.io=ALL-UNNAMED",
                    "--add-opens",
                    "java.base/java.util=ALL-UNNAMED",
                    "--add-modules",
                    "jdk.jshell",
                    "--source",
                    "17",
                    "/dev/fd/4",
                ],
                text: include_str!("kernels/Kernel.java"),
                on_stdin: false,
            },
        }
    }

    /// The order to run this, as the language's program reads it.
    pub fn order(self, run: &RunCode) -> Vec<u8> {
        match self {
            Language::Bash => bash_order(run),
            Language::Java => java_order(run),
            _ => {
                let order = json!({"code": run.code, "env": run.env});
                (order.to_string() + "\n").into_bytes()
            }
        }
    }
}

/// A line for the shell itself.
fn bash_order(run: &RunCode) -> Vec<u8> {
    let mut line = String::from("__bivouac_running=1; ");
    for (name, value) in &run.env {
        line += &format!("__bivouac_set {name} {}; ", quoted(value));
    }
    line += &format!("eval {} </dev/null; __bivouac_done $?\n", quoted(&run.code));
    line.into_bytes()
}

/// Java has no JSON of its own.
fn java_order(run: &RunCode) -> Vec<u8> {
    let variables: Vec<String> = run
        .env
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let variables = variables.join("\0");
    let (code, env) = (run.code.len(), variables.len());
    format!("{code} {env}\n{}{variables}", run.code).into_bytes()
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_languages() {
        for language in Language::ALL {
            assert_eq!(Language::of(language.name()), Some(language));
        }
        assert_eq!(Language::of("cobol"), None);
        assert_eq!(Language::of("go"), None);
    }

    #[test]
    fn quotes_cannot_be_left() {
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
