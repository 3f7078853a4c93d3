//! State graphs as GraphML (Brandes et al., 2002) and GEXF 1.3: a file for each level, written state by state.

use plymap_measures::level_tables::moves_on_map;
use plymap_puzzles::graph::LevelMap;
use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::{ValuedLevel, WholeMap};
use plymap_run::{Play, continues};
use plymap_tables::{FileError, SafeStems};
use std::path::Path;

use super::error::ExportError;
use super::xml::Xml;

/// A language of graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Graphml,
    Gexf,
}

/// Attributes of nodes: name, type in GraphML and type in GEXF.
const OF_NODES: [(&str, &str, &str); 5] = [
    ("state", "string", "string"),
    ("distance", "long", "long"),
    ("is_start", "boolean", "boolean"),
    ("is_goal", "boolean", "boolean"),
    ("n_visits", "long", "long"),
];

/// Attributes of edges, likewise.
const OF_EDGES: [(&str, &str, &str); 2] = [("move", "string", "string"), ("cost", "long", "long")];

/// Number of states between two checks for a request to stop.
const STRIDE: u32 = 1024;

/// Writes the graph of each level into the folder, in a file of its stem.
pub(super) fn write(
    kind: Kind,
    levels: &[&ValuedLevel],
    stems: &SafeStems,
    play: Option<&Play>,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<(), ExportError> {
    if let Some(level) = levels.iter().find(|level| level.whole.is_none()) {
        return Err(ExportError::NotMapped { level: level.id.clone() });
    }
    // Each state comes twice: as a node, and with the edges that start there.
    progress.begin("writing graphs", Some(levels.iter().filter_map(|level| level.n_states()).map(|n| 2 * n).sum()));
    for level in levels {
        let Some(WholeMap { map, distances, .. }) = level.whole.as_deref() else { continue };
        let extension = if kind == Kind::Graphml { "graphml" } else { "gexf" };
        let path = folder.join(format!("{}.{extension}", stems.stem(&level.id)));
        let mut graph = Graph { kind, xml: Xml::create(&path)? };
        let visits = play.map(|play| visits(play, level, map));
        graph.begin(level)?;
        for node in 0..map.n_states() as u32 {
            let values = [
                Some(level.rules.format_state(map.code(node))),
                distances.get(node).map(|distance| distance.to_string()),
                Some((node == 0).to_string()),
                Some(map.is_goal(node).to_string()),
                visits.as_ref().map(|visits| visits[node as usize].to_string()),
            ];
            graph.node(node, &values)?;
            advance(node, progress)?;
        }
        graph.between()?;
        let mut n_edges = 0;
        for node in 0..map.n_states() as u32 {
            for (legal, after) in moves_on_map(level, map, node) {
                graph.edge(n_edges, node, after, &[Some(legal.notation), Some(legal.cost.to_string())])?;
                n_edges += 1;
            }
            advance(node, progress)?;
        }
        graph.finish()?;
    }
    progress.end();
    Ok(())
}

fn advance(node: u32, progress: &dyn Progress) -> Result<(), ExportError> {
    progress.advance(1);
    if node.is_multiple_of(STRIDE) { Ok(continues(progress)?) } else { Ok(()) }
}

/// Counts the visits of attempts to each state: where each began, and after each of its rows.
fn visits(play: &Play, level: &ValuedLevel, map: &LevelMap) -> Vec<u64> {
    let mut visits = vec![0; map.n_states()];
    let log = &play.labelled;
    let positions = log.attempts_at(&level.id).flat_map(|attempt| log.positions(attempt));
    for node in positions.filter_map(|code| map.node(code)) {
        visits[node as usize] += 1;
    }
    visits
}

/// A file of a graph in the making: nodes, then edges.
struct Graph<'p> {
    kind: Kind,
    xml: Xml<'p>,
}

impl Graph<'_> {
    fn begin(&mut self, level: &ValuedLevel) -> Result<(), FileError> {
        let unit = level.rules.unit().name();
        let Self { kind, xml } = self;
        if *kind == Kind::Graphml {
            xml.open("graphml", &[("xmlns", "http://graphml.graphdrawing.org/xmlns")])?;
            let of_graph = [("level", "string", ""), ("unit", "string", "")];
            for (of, keys) in [("graph", &of_graph[..]), ("node", &OF_NODES), ("edge", &OF_EDGES)] {
                for (name, r#type, _) in keys {
                    xml.empty("key", &[("id", name), ("for", of), ("attr.name", name), ("attr.type", r#type)])?;
                }
            }
            xml.open("graph", &[("id", "states"), ("edgedefault", "directed")])?;
            xml.text("data", &[("key", "level")], &level.id)?;
            return xml.text("data", &[("key", "unit")], unit);
        }
        xml.open("gexf", &[("xmlns", "http://gexf.net/1.3"), ("version", "1.3")])?;
        xml.open("meta", &[])?;
        xml.text("creator", &[], &format!("plymap {}", env!("CARGO_PKG_VERSION")))?;
        let caption =
            format!("Every state that can be reached from the start of level {}; distances in {unit}.", level.id);
        xml.text("description", &[], &caption)?;
        xml.close("meta")?;
        xml.open("graph", &[("defaultedgetype", "directed"), ("mode", "static")])?;
        for (of, keys) in [("node", &OF_NODES[..]), ("edge", &OF_EDGES)] {
            xml.open("attributes", &[("class", of)])?;
            for (name, _, r#type) in keys {
                xml.empty("attribute", &[("id", name), ("title", name), ("type", r#type)])?;
            }
            xml.close("attributes")?;
        }
        xml.open("nodes", &[])
    }

    /// A state; its number is that of the table of distances.
    fn node(&mut self, node: u32, values: &[Option<String>]) -> Result<(), FileError> {
        self.element("node", &[("id", &node.to_string())], &OF_NODES, values)
    }

    /// Nodes are done, edges begin.
    fn between(&mut self) -> Result<(), FileError> {
        if self.kind == Kind::Gexf {
            self.xml.close("nodes")?;
            self.xml.open("edges", &[])?;
        }
        Ok(())
    }

    /// A legal move. It has a name, because programs keep one of several edges between two states otherwise.
    fn edge(&mut self, number: u64, from: u32, to: u32, values: &[Option<String>]) -> Result<(), FileError> {
        let (id, from, to) = (number.to_string(), from.to_string(), to.to_string());
        self.element("edge", &[("id", &id), ("source", &from), ("target", &to)], &OF_EDGES, values)
    }

    /// A node or an edge with the values that there are; in GEXF the first of them labels it.
    fn element(
        &mut self,
        name: &str,
        attributes: &[(&str, &str)],
        keys: &[(&str, &str, &str)],
        values: &[Option<String>],
    ) -> Result<(), FileError> {
        let Self { kind, xml } = self;
        let mut present = keys.iter().zip(values).filter_map(|((key, ..), value)| Some((*key, value.as_deref()?)));
        if *kind == Kind::Graphml {
            xml.open(name, attributes)?;
            present.try_for_each(|(key, value)| xml.text("data", &[("key", key)], value))?;
            return xml.close(name);
        }
        let label = values.first().and_then(Option::as_deref).unwrap_or_default();
        xml.open(name, &[attributes, &[("label", label)]].concat())?;
        xml.open("attvalues", &[])?;
        present.try_for_each(|(key, value)| xml.empty("attvalue", &[("for", key), ("value", value)]))?;
        xml.close("attvalues")?;
        xml.close(name)
    }

    fn finish(mut self) -> Result<(), FileError> {
        let open: &[&str] = match self.kind {
            Kind::Graphml => &["graph", "graphml"],
            Kind::Gexf => &["edges", "graph", "gexf"],
        };
        open.iter().try_for_each(|name| self.xml.close(name))?;
        self.xml.finish()
    }
}
