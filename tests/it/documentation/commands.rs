//! docs/commands.md, written from the command line as clap describes it.

use clap::{Arg, Command};
use plymap::cli::command_line;

use super::{check, code, codes, head, row};

/// The program and all its commands, those of commands behind them.
fn commands() -> Vec<Command> {
    fn push(commands: &mut Vec<Command>, command: &Command) {
        commands.push(command.clone());
        command.get_subcommands().filter(|command| !command.is_hide_set()).for_each(|command| push(commands, command));
    }
    let mut program = command_line().disable_help_subcommand(true);
    program.build();
    let mut commands = Vec::new();
    push(&mut commands, &program);
    commands
}

/// The name of a command as it is typed, without that of the program.
fn name(command: &Command) -> &str {
    let typed = command.get_bin_name().expect("a command that was built");
    typed.strip_prefix("plymap ").unwrap_or(typed)
}

/// The first paragraph of a command's help, without its period.
fn meaning(command: &Command) -> String {
    command.get_about().expect("every command says what it does").to_string().trim_end_matches('.').to_owned()
}

/// An option with its short form and its values, or the place of an argument.
fn typed(argument: &Arg) -> String {
    let names = argument.get_value_names().unwrap_or_default();
    let values: String = names.iter().map(|name| format!(" {name}")).collect();
    let values = if argument.get_action().takes_values() { values } else { String::new() };
    let Some(long) = argument.get_long() else { return code(values.trim_start()) };
    let short = argument.get_short().map(|short| format!("`-{short}`, ")).unwrap_or_default();
    format!("{short}{}", code(&format!("--{long}{values}")))
}

/// Returns the meaning of an argument, with the values that it can take.
fn meaning_of(argument: &Arg) -> String {
    let help = argument.get_long_help().or(argument.get_help()).expect("every option says what it does").to_string();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let values = argument.get_possible_values();
    let values: Vec<&str> = values.iter().filter(|value| !value.is_hide_set()).map(|value| value.get_name()).collect();
    if values.is_empty() || !argument.get_action().takes_values() {
        return help;
    }
    format!("{}. One of {}", help.trim_end_matches('.'), codes(values))
}

/// The value of an argument that is not given.
fn default_of(argument: &Arg) -> String {
    if argument.is_required_set() {
        return "needed".to_owned();
    }
    let values: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    // A flag is not set where it is not given.
    if argument.get_action().takes_values() { codes(values.iter().map(AsRef::as_ref)) } else { String::new() }
}

fn table_of_arguments<'a>(arguments: impl Iterator<Item = &'a Arg>) -> Vec<String> {
    let is_common = |argument: &&Arg| ["help", "version"].contains(&argument.get_id().as_str());
    let arguments = arguments.filter(|argument| !argument.is_hide_set() && !is_common(argument));
    let rows: Vec<String> =
        arguments.map(|argument| row(&[&typed(argument), &meaning_of(argument), &default_of(argument)])).collect();
    if rows.is_empty() { rows } else { [head(&["option", "meaning", "default"]), rows].concat() }
}

/// A block of code, with an empty line behind it.
fn block(language: &str, text: &str) -> Vec<String> {
    let lines = text.lines().map(str::to_owned);
    [format!("```{language}")].into_iter().chain(lines).chain(["```".to_owned(), String::new()]).collect()
}

/// The section of a command: meaning, usage, what its help says further, options, examples.
fn section(command: &Command) -> Vec<String> {
    let mut lines =
        vec![format!("### {}", name(command)), String::new(), format!("{}.", meaning(command)), String::new()];
    if command.has_subcommands() {
        return lines;
    }
    let usage = command.clone().render_usage().to_string();
    lines.extend(block("text", usage.trim_start_matches("Usage:").trim()));
    let help = command.get_long_about().map(ToString::to_string).unwrap_or_default();
    let (examples, paragraphs): (Vec<&str>, Vec<&str>) =
        help.split("\n\n").skip(1).partition(|text| text.starts_with("Example: "));
    lines.extend(paragraphs.iter().flat_map(|text| [(*text).to_owned(), String::new()]));
    let table = table_of_arguments(command.get_arguments().filter(|argument| !argument.is_global_set()));
    if !table.is_empty() {
        lines.extend(table.into_iter().chain([String::new()]));
    }
    let examples: Vec<&str> = examples.iter().map(|text| text.trim_start_matches("Example: ")).collect();
    if !examples.is_empty() {
        lines.extend(block("sh", &examples.join("\n")));
    }
    lines
}

/// A line for each command, with a link to its section.
fn overview(commands: &[Command]) -> Vec<String> {
    let rows = commands.iter().filter(|command| !command.has_subcommands()).map(|command| {
        let link = format!("[`{}`](#{})", name(command), name(command).replace(' ', "-"));
        row(&[&link, &meaning(command)])
    });
    head(&["command", "meaning"]).into_iter().chain(rows).collect()
}

#[test]
fn the_commands_of_the_documentation_are_those_of_the_program() {
    let commands = commands();
    let (program, commands) = commands.split_first().expect("the program");
    check("docs/commands.md", |marker, _| match marker {
        "overview" => Some(overview(commands)),
        "options of all commands" => Some(table_of_arguments(program.get_arguments())),
        "exit codes" => {
            let mut lines = block("text", &program.get_after_help().expect("exit codes").to_string());
            lines.pop();
            Some(lines)
        }
        "commands" => {
            let mut lines: Vec<String> = commands.iter().flat_map(section).collect();
            lines.pop();
            Some(lines)
        }
        _ => None,
    });
}
