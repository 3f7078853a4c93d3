//! Answers of the router itself, without connections.

use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use plymap_puzzles::progress::Silent;
use tokio::runtime::{Builder, Runtime};

use super::super::map_address;
use super::super::served::{MOST_COMPUTED, Served};
use super::router;
use crate::experiment::plan::Page;
use plymap_play::{Journal, Numbering};
use plymap_run::study::Study;
use plymap_run::study_levels;
use plymap_server::MOST_THREADS;

/// A study of two levels, served in a folder.
fn served(folder: &std::path::Path) -> Arc<Served> {
    let text = "[study]\nname = \"two\"\n[levels]\ngame = \"tower-of-london\"\nfiles = [\"levels.txt\"]\n";
    std::fs::write(folder.join("study.toml"), text).unwrap();
    let all = include_str!("../../../../data/tower_of_london/levels.txt");
    std::fs::write(folder.join("levels.txt"), all).unwrap();
    let study = Study::read(&folder.join("study.toml")).unwrap();
    let (levels, _) = study_levels(&study, &Silent).unwrap();
    let page = Page::new(&study, &levels, true, false, &map_address).unwrap();
    let (journal, _) = Journal::open(&folder.join("recorded.ndjson"), Numbering::default()).unwrap();
    let media = [("media/1.png".to_owned(), ("image/png", Bytes::from(vec![7; 1_000])))].into();
    Arc::new(Served::new(page, levels, media, journal, None))
}

async fn ask(served: Arc<Served>, method: &'static str, path: String, body: String) -> (StatusCode, Bytes) {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("Content-Type", "application/json")
        .header("Authorization", "Bearer drawn-by-this-test")
        .body(Body::from(body))
        .unwrap();
    let answer = TowerToHyperService::new(router(served)).call(request).await.unwrap();
    (answer.status(), to_bytes(answer.into_body(), usize::MAX).await.unwrap())
}

fn with_threads(n: usize) -> Runtime {
    Builder::new_multi_thread().worker_threads(1).max_blocking_threads(n).enable_all().build().unwrap()
}

/// However many pages wait for maps and positions, what others do is recorded.
#[test]
fn what_is_recorded_waits_for_nothing_that_is_computed() {
    const { assert!(MOST_COMPUTED < MOST_THREADS) };
    let folder = tempfile::tempdir().unwrap();
    let served = served(folder.path());
    let level = &served.levels[0].valued.id.clone();
    // As many threads as there are when everything is computed that may be.
    with_threads(1).block_on(async {
        let all = served.computing.acquire_many(MOST_COMPUTED as u32).await.unwrap();
        let paths =
            ["map", "position", ""].map(|what| format!("/api/levels/{level}/{what}").trim_end_matches('/').to_owned());
        let waiting: Vec<_> = (0..3 * MOST_THREADS)
            .map(|n| tokio::spawn(ask(Arc::clone(&served), "GET", paths[n % 3].clone(), String::new())))
            .collect();
        let event = r#"{"seq":0,"level":"","attempt":1,"event":"page","time_ms":1,"onset_s":0}"#;
        for session in 0..9 {
            let body = format!(r#"{{"participant":"P1","session":"{session}","events":[{event}]}}"#);
            let (status, said) = ask(Arc::clone(&served), "POST", "/api/events".to_owned(), body).await;
            assert_eq!((status, &said[..]), (StatusCode::OK, &br#"{"n_events":1}"#[..]));
        }
        assert!(waiting.iter().all(|request| !request.is_finished()));
        drop(all);
        for request in waiting {
            assert_eq!(request.await.unwrap().0, StatusCode::OK);
        }
    });
}

/// Large answers are held once, however many ask for them.
#[test]
fn large_answers_are_not_copied() {
    let folder = tempfile::tempdir().unwrap();
    let served = served(folder.path());
    let map = format!("/api/levels/{}/map", served.levels[0].valued.id);
    with_threads(2).block_on(async {
        for path in ["/media/1.png", "/api/study", &map] {
            let twice = [
                ask(Arc::clone(&served), "GET", path.to_owned(), String::new()).await,
                ask(Arc::clone(&served), "GET", path.to_owned(), String::new()).await,
            ];
            assert!(twice.iter().all(|(status, bytes)| *status == StatusCode::OK && bytes.len() > 500), "{path}");
            assert_eq!(twice[0].1.as_ptr(), twice[1].1.as_ptr(), "{path}");
        }
    });
}
