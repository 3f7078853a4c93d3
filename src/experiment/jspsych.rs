//! The same experiment for jsPsych: a package that `npm install && npm run build` completes, and the plugin as a package in it.

use plymap_play::page_files::FILES;

/// Name and content of files, as they lie in `play/jspsych`.
macro_rules! files {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../play/jspsych/", $folder, "/", $name)))),*]
    };
}

/// The experiment.
const EXPERIMENT: &[(&str, &str)] = files![
    "experiment":
    "README.md",
    "build.js",
    "index.html",
    "package-lock.json",
    "package.json",
    "src/ending.js",
    "src/experiment.css",
    "src/index.js",
    "src/questions.js",
    "src/session_store.js",
    "src/simulated_participant.js",
    "src/timeline.js",
];

/// The plugin, whose board is that of the page.
const PLUGIN: &[(&str, &str)] = files![
    "plugin":
    "README.md",
    "build.js",
    "package.json",
    "src/index.js",
    "src/plugin.css",
    "src/public.d.ts",
    "src/record.js",
    "src/simulation.js",
    "src/trial_layout.js",
    "src/trial_run.js",
];

/// Addition to the content security policy of the page: plugins of jsPsych write styles into it, and its icon is none.
pub const POLICY: &str = "; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

const LICENCES: [(&str, &str); 2] =
    [("LICENSE-APACHE", include_str!("../../LICENSE-APACHE")), ("LICENSE-MIT", include_str!("../../LICENSE-MIT"))];

/// Returns all files: where they are written, and their content.
pub fn files() -> impl Iterator<Item = (String, &'static str)> {
    let of_experiment = EXPERIMENT.iter().map(|(name, content)| ((*name).to_owned(), *content));
    let of_plugin = PLUGIN.iter().chain(&LICENCES).map(|(name, content)| (format!("plugin/{name}"), *content));
    let of_board = FILES.iter().map(|(name, _, content)| (format!("plugin/play/{name}"), *content));
    of_experiment.chain(of_plugin).chain(of_board)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// The files of a folder but those that are made or only for the repository.
    fn there(folder: &str, inner: &str, files: &mut BTreeSet<String>) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("play/jspsych").join(folder).join(inner);
        for entry in std::fs::read_dir(path).unwrap().flatten() {
            let name = entry.file_name().into_string().unwrap();
            let below = if inner.is_empty() { name.clone() } else { format!("{inner}/{name}") };
            match entry.file_type().unwrap().is_dir() {
                true if name == "src" => there(folder, &below, files),
                true => {}
                false => drop(files.insert(below)),
            }
        }
    }

    #[test]
    fn all_files_of_the_packages_are_part_of_the_program() {
        for (folder, list) in [("experiment", EXPERIMENT), ("plugin", PLUGIN)] {
            let mut files = BTreeSet::new();
            there(folder, "", &mut files);
            files.retain(|name| {
                !["tsconfig.json", "copy_board.js", ".gitignore", ".npmrc"].contains(&&**name)
                    && !name.starts_with("LICENSE")
            });
            assert_eq!(files, list.iter().map(|(name, _)| (*name).to_owned()).collect::<BTreeSet<_>>(), "{folder}");
        }
    }
}
