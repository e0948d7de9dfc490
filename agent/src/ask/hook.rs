//! The hooks of programs that ask before they act. Each gets an explicit yes or no in its own format,
//! whatever goes wrong: silence, an exit code or bad JSON would leave their own prompts standing.
use super::arguments::working_folder;
use super::speech::{Answer, Question};
use crate::bounds;
use serde_json::{Value, json};
use std::io::Read;
use std::process::ExitCode;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Program {
    Claude,
    Codex,
}

const BEFORE_A_TOOL: &str = "PreToolUse";
const INSTEAD_OF_A_PROMPT: &str = "PermissionRequest";
/// What is read of a program's question.
const LARGEST: u64 = 4 * 1024 * 1024;
/// Tools of Claude Code that act on nothing, or only by other tools, which ask for themselves. Any other
/// asks, also one that is not known here yet.
const HARMLESS: [&str; 22] = [
    "Agent",
    "AskUserQuestion",
    "BashOutput",
    "EnterPlanMode",
    "ExitPlanMode",
    "Glob",
    "Grep",
    "KillShell",
    "LS",
    "ListMcpResourcesTool",
    "NotebookRead",
    "Read",
    "Task",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "TodoRead",
    "TodoWrite",
    "ToolSearch",
];

/// Which field of a tool's input says what it acts on. A tool that is not known is told by its whole input:
/// a field that merely looks telling could hide what it really does.
fn telling(tool: &str) -> Option<&'static str> {
    match tool {
        "Bash" | "shell" | "local_shell" | "exec_command" | "apply_patch" => Some("command"),
        "Edit" | "MultiEdit" | "Read" | "Write" => Some("file_path"),
        "NotebookEdit" => Some("notebook_path"),
        "WebFetch" => Some("url"),
        "WebSearch" => Some("query"),
        _ => None,
    }
}

impl Program {
    pub fn named(name: &str) -> Result<Program, String> {
        match name {
            "claude" => Ok(Program::Claude),
            "codex" => Ok(Program::Codex),
            _ => Err(format!("hooks are known of claude and codex, not {name:?}")),
        }
    }

    fn source(self) -> &'static str {
        match self {
            Program::Claude => "claude-code",
            Program::Codex => "codex",
        }
    }

    /// What it is called by when its input does not say.
    fn usual_event(self) -> &'static str {
        match self {
            Program::Claude => BEFORE_A_TOOL,
            Program::Codex => INSTEAD_OF_A_PROMPT,
        }
    }
}

pub fn answer(program: Program, socket: &str, timeout: u32) -> ExitCode {
    let mut said = Vec::new();
    let read = std::io::stdin().take(LARGEST).read_to_end(&mut said);
    let input = match read.map(|_| serde_json::from_slice::<Value>(&said)) {
        Ok(Ok(input)) => input,
        _ => Value::Null,
    };
    if program == Program::Claude && goes_by_its_own_rules(&input) {
        println!("{{}}");
        return ExitCode::SUCCESS;
    }
    let answer = question(program, &input, timeout)
        .and_then(|question| question.ask_at(socket))
        .unwrap_or_else(Answer::no);
    println!("{}", reply(program, &input, &answer));
    ExitCode::SUCCESS
}

/// Says nothing about it, so that the program's own rules decide. Its prompts still come here.
fn goes_by_its_own_rules(hook: &Value) -> bool {
    hook["hook_event_name"] == BEFORE_A_TOOL
        && hook["tool_name"]
            .as_str()
            .is_some_and(|tool| HARMLESS.contains(&tool))
}

fn question(program: Program, hook: &Value, timeout: u32) -> Result<Question, String> {
    let tool = hook["tool_name"]
        .as_str()
        .filter(|name| !name.is_empty())
        .ok_or("the hook's input could not be understood")?;
    let input = &hook["tool_input"];
    // Keys come sorted, so that the same input is the same text.
    let whole = match input {
        Value::Null => String::new(),
        input => input.to_string(),
    };
    let mut resource = telling(tool)
        .and_then(|field| spelled(&input[field]))
        .unwrap_or_else(|| whole.clone());
    if resource.len() > bounds::QUESTION_TEXT {
        // The whole is in the input, which is shown too. What ends so is never pre-authorised.
        crate::relay::wire::cut(&mut resource, bounds::QUESTION_TEXT - "…".len());
        resource.push('…');
    }
    let mut description = input["description"].as_str().unwrap_or_default().to_owned();
    crate::relay::wire::cut(&mut description, bounds::QUESTION_TEXT);
    Ok(Question {
        source: program.source().into(),
        action: tool.into(),
        resource,
        description,
        cwd: hook["cwd"]
            .as_str()
            .map_or_else(working_folder, str::to_owned),
        input: whole,
        timeout_seconds: timeout,
    })
}

/// Text as it is, a command's words as a shell would want them.
fn spelled(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Array(words) if !words.is_empty() => Some(
            words
                .iter()
                .map(|word| quoted(word.as_str().unwrap_or_default()))
                .collect::<Vec<_>>()
                .join(" "),
        ),
        _ => None,
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

fn reply(program: Program, hook: &Value, answer: &Answer) -> Value {
    let event = match hook["hook_event_name"].as_str() {
        Some(BEFORE_A_TOOL) => BEFORE_A_TOOL,
        Some(INSTEAD_OF_A_PROMPT) => INSTEAD_OF_A_PROMPT,
        _ => program.usual_event(),
    };
    let behavior = if answer.granted { "allow" } else { "deny" };
    let reason = match (answer.granted, &*answer.reason) {
        (true, _) => "granted by a person".to_owned(),
        (false, "") => "denied".to_owned(),
        (false, why) => format!("denied: {why}"),
    };
    let mut output = json!({"hookEventName": event});
    if event == BEFORE_A_TOOL {
        output["permissionDecision"] = json!(behavior);
        output["permissionDecisionReason"] = json!(reason);
    } else if answer.granted {
        output["decision"] = json!({"behavior": behavior});
    } else {
        output["decision"] = json!({"behavior": behavior, "message": reason});
    }
    json!({"hookSpecificOutput": output})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bash(command: Value) -> Value {
        json!({
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": "/workspace",
            "tool_input": {"description": "Lists files", "command": command}
        })
    }

    #[test]
    fn a_question_tells_what_where_and_why() {
        let asked = question(Program::Claude, &bash(json!("ls -la")), 9).unwrap();
        assert_eq!(
            (&*asked.action, &*asked.resource, &*asked.description),
            ("Bash", "ls -la", "Lists files")
        );
        assert_eq!((&*asked.cwd, &*asked.source), ("/workspace", "claude-code"));
        assert_eq!(
            asked.input,
            r#"{"command":"ls -la","description":"Lists files"}"#
        );
    }

    #[test]
    fn a_tool_is_told_by_its_own_field_or_by_all_of_its_input() {
        let asked = |tool: &str| {
            let input = json!({"command": "ls", "file_path": "/etc/passwd"});
            let hook = json!({"tool_name": tool, "tool_input": input});
            question(Program::Claude, &hook, 9).unwrap().resource
        };
        assert_eq!((&*asked("Bash"), &*asked("Write")), ("ls", "/etc/passwd"));
        for other in ["mcp__files__write", "NotebookEdit", "NewTool"] {
            assert_eq!(
                asked(other),
                r#"{"command":"ls","file_path":"/etc/passwd"}"#
            );
        }
    }

    #[test]
    fn only_what_is_known_to_be_harmless_is_not_asked() {
        let before = |tool: &str| json!({"hook_event_name": BEFORE_A_TOOL, "tool_name": tool});
        assert!(goes_by_its_own_rules(&before("Read")));
        for other in ["Bash", "Skill", "NewTool", "mcp__a__Read", "read", ""] {
            assert!(!goes_by_its_own_rules(&before(other)), "{other}");
        }
        let prompt = json!({"hook_event_name": INSTEAD_OF_A_PROMPT, "tool_name": "Read"});
        assert!(!goes_by_its_own_rules(&prompt) && !goes_by_its_own_rules(&Value::Null));
    }

    #[test]
    fn words_of_a_command_stay_apart() {
        let words = json!(["bash", "-lc", "rm -r 'a b'"]);
        let asked = question(Program::Codex, &bash(words), 9).unwrap();
        assert_eq!(asked.resource, r"bash -lc 'rm -r '\''a b'\'''");
    }

    #[test]
    fn a_long_command_is_cut_where_it_is_shown_and_whole_where_it_is_told_apart() {
        let long = "é".repeat(bounds::QUESTION_TEXT);
        let asked = question(Program::Claude, &bash(json!(long)), 9).unwrap();
        assert!(asked.resource.ends_with('…') && asked.check().is_ok());
        assert!(asked.input.contains(&long));
    }

    #[test]
    fn every_answer_is_explicit() {
        let no = Answer::no("not on a Friday");
        let yes = Answer {
            granted: true,
            ..Answer::default()
        };
        let before = reply(Program::Claude, &bash(json!("ls")), &no);
        let output = &before["hookSpecificOutput"];
        assert_eq!(output["permissionDecision"], "deny");
        assert_eq!(
            output["permissionDecisionReason"],
            "denied: not on a Friday"
        );
        let yes_before = reply(Program::Claude, &bash(json!("ls")), &yes);
        assert_eq!(
            yes_before["hookSpecificOutput"]["permissionDecision"],
            "allow"
        );
        let prompt = json!({"hook_event_name": "PermissionRequest"});
        let decided = reply(Program::Claude, &prompt, &no)["hookSpecificOutput"]["decision"].take();
        assert_eq!(
            decided,
            json!({"behavior": "deny", "message": "denied: not on a Friday"})
        );
        let decided = reply(Program::Codex, &Value::Null, &yes)["hookSpecificOutput"].take();
        assert_eq!(
            decided,
            json!({"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}})
        );
    }

    #[test]
    fn input_that_is_not_understood_is_no_question() {
        for input in [
            Value::Null,
            json!([]),
            json!({"tool_name": 1}),
            json!({"tool_name": ""}),
        ] {
            assert!(question(Program::Claude, &input, 9).is_err(), "{input}");
        }
    }
}
