//! Writes the notices of a package of this workspace to standard output: `plymap-notices PACKAGE [TARGET]`.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use plymap_notices::Build;

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let Some(package) = arguments.next() else {
        eprintln!("usage: plymap-notices PACKAGE [TARGET]");
        return ExitCode::from(2);
    };
    let build = Build { target: arguments.next(), ..Build::of_script(PathBuf::from(".")) };
    match build.notices(&package) {
        Ok(notices) if notices.without_text.is_empty() => {
            print!("{}", notices.text);
            ExitCode::SUCCESS
        }
        Ok(notices) => {
            eprintln!("plymap-notices: no text of a licence was found for {}", notices.without_text.join(", "));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("plymap-notices: {error}");
            ExitCode::FAILURE
        }
    }
}
