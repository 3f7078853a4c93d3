//! Example studies, which are part of the program.

use std::fs;

use serde::Serialize;

use crate::problem::Problem;
use crate::project::{Project, STUDY};

/// An example study.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Example {
    /// Name of it.
    pub name: &'static str,
    /// Game of its levels.
    pub game: &'static str,
    /// Files: path in the folder of the study, and content.
    #[serde(skip)]
    files: &'static [(&'static str, &'static str)],
}

/// The files of a study in `data` of the repository.
macro_rules! files {
    ($folder:literal: $($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../data/", $folder, "/", $path)))),*]
    };
}

/// All of them: nobody played there, seeded generators wrote the logs.
pub const EXAMPLES: &[Example] = &[
    Example {
        name: "demo",
        game: "rush-hour",
        files: files!["demo":
            "study.toml", "logs/moves.csv", "experiment/consent.md", "experiment/how_to_play.md", "experiment/thanks.md",
            "experiment/board.svg", "levels/article-1.txt", "levels/demo-01.txt", "levels/demo-02.txt",
            "levels/demo-03.txt", "levels/demo-04.txt", "levels/demo-05.txt", "levels/demo-06.txt",
            "levels/demo-07.txt", "levels/demo-08.txt", "levels/demo-09.txt", "levels/demo-10.txt",
            "levels/demo-11.txt", "levels/demo-12.txt",
        ],
    },
    Example {
        name: "tower-of-london",
        game: "tower-of-london",
        files: files!["tower_of_london": "study.toml", "levels.txt", "log.csv"],
    },
    Example {
        name: "lights-out",
        game: "lights-out",
        files: files!["lights_out": "study.toml", "levels.txt", "log.csv"],
    },
    Example { name: "panguru", game: "panguru", files: files!["panguru": "study.toml", "levels.txt", "log.csv"] },
];

/// Writes an example into the folder of a project that has no study yet.
///
/// # Errors
///
/// There is no such example, the folder has a study or a file of that name, or it cannot be written.
pub fn write(project: &Project, name: &str) -> Result<(), Problem> {
    let example = EXAMPLES
        .iter()
        .find(|example| example.name == name)
        .ok_or_else(|| Problem::missing(format!("there is no example {name:?}")))?;
    // The study comes last: without it nothing has begun.
    let (study, others): (Vec<_>, Vec<_>) = example.files.iter().partition(|(path, _)| *path == STUDY);
    for (path, content) in others.iter().chain(&study) {
        let target = if *path == STUDY { project.study_file().to_owned() } else { project.folder.join(path) };
        if fs::read_to_string(&target).is_ok_and(|there| there == *content) {
            continue;
        }
        if target.exists() {
            return Err(Problem::conflict(format!("{} exists already: open an empty folder", project.name(&target))));
        }
        project
            .check_inside(&target)
            .and_then(|()| target.parent().map_or(Ok(()), fs::create_dir_all))
            .and_then(|()| fs::write(&target, content))
            .map_err(|error| Problem::conflict(format!("{} cannot be written: {error}", project.name(&target))))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_a_study() {
        for example in EXAMPLES {
            let folder = tempfile::tempdir().unwrap();
            let project = Project::open(&folder.path().join(STUDY), Vec::new()).unwrap();
            write(&project, example.name).unwrap();
            let study = project.study().unwrap();
            assert_eq!(study.game().name, example.game);
            let read =
                study.level_files().into_iter().chain(study.log.files.iter().map(|file| project.folder.join(file)));
            assert!(read.into_iter().all(|file| file.exists()), "{}", example.name);
            write(&project, example.name).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_links_out_of_the_folder() {
        use std::os::unix::fs::symlink;
        let [folder, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let project = Project::open(&folder.path().join(STUDY), Vec::new()).unwrap();
        for (name, place) in [("logs", elsewhere.path().to_owned()), (".plymap-open.json", elsewhere.path().join("a"))]
        {
            symlink(place, folder.path().join(name)).unwrap();
        }
        let refused = write(&project, "demo").unwrap_err();
        assert!(refused.error.contains("a link leads out"), "{refused:?}");
        project.keep_address(8080, &"0".repeat(crate::TOKEN_LENGTH));
        assert_eq!(project.address().map(|address| address.port), Some(8080));
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    }
}
