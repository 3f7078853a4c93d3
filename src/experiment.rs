//! Experiments in the browser: the plan of the page for each participant, and its play as a log.
//!
//! A study says what its participants read, play and are asked; a condition says what is different in it. Both come to the page
//! as plans ([`plan::Page`]), in which nothing is left to be looked up, so that the page (`play/`) only follows one of them.

pub mod jspsych;
pub mod plan;
pub mod simulated;
pub mod site;
