//! Places of the nodes of a state graph in a drawing: layers by distance to the goal.
//!
//! The method is the one of Sugiyama, Tagawa and Toda (1981) without its first step, for the distance already gives the
//! layers: inside each layer, nodes are ordered by the mean place of their neighbours, sweep after sweep. Neighbours of
//! other layers count more, so that few edges cross; those of the same layer count too, so that they stand near. All
//! functions are pure; ties are broken by the number of the node, so the layout is reproducible.

use rayon::prelude::*;

/// Number of sweeps that improve the order of all layers. With 24, edges are 3 % shorter.
pub const SWEEPS: usize = 16;
/// Weight of a neighbour in another layer; one of the same layer, and the place that a node has, count 1. With 3, edges
/// between layers stay short.
const ACROSS: f64 = 3.0;
/// Share of the distance between layers that a layer's nodes may spread over.
const BAND: f64 = 0.72;
/// Greatest distance of the rows of a layer, in distances of its columns.
const MOST_STRETCH: f64 = 1.8;

/// The nodes at one distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Distance to the nearest goal; absent for the nodes from which no goal can be reached.
    pub distance: Option<u32>,
    /// The nodes, in their order from one end of the layer to the other.
    pub nodes: Vec<u32>,
}

/// Places of the nodes. The unit is the distance between two layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// For each node its place: along the first axis the distance to the goal, give or take a third; along
    /// the second the place in its layer, 0 being the middle. Nodes without a distance stand 1.5
    /// beyond the farthest layer.
    pub positions: Vec<(f64, f64)>,
    /// Least space between two nodes of a layer.
    pub spacing: f64,
    /// Space between the rows of a layer: at least as much, more where the height allows it.
    pub row_spacing: f64,
}

/// Nodes summed up: each bin holds neighbours in the order of one layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Bins {
    /// For each node the number of its bin.
    pub bin_of: Vec<u32>,
    /// For each bin the index of its layer.
    pub layer_of: Vec<u32>,
    /// For each bin the number of its nodes.
    pub sizes: Vec<u32>,
    /// Pairs of different bins that edges join, the lower number first, ascending, with the number of edges.
    pub edges: Vec<(u32, u32, u32)>,
}

/// The layers by ascending distance, the one of the unreachable last; each ordered so that neighbours stand near and few
/// edges cross.
///
/// `distances` has one entry for each node. Edges whose ends are no nodes are passed over.
pub fn layers(distances: &[Option<u32>], edges: &[(u32, u32)]) -> Vec<Layer> {
    layers_while(distances, edges, || true)
}

/// The layers as [`layers`] orders them, as far as it came: `goes_on` is asked before each of [`SWEEPS`] sweeps.
pub fn layers_while(distances: &[Option<u32>], edges: &[(u32, u32)], mut goes_on: impl FnMut() -> bool) -> Vec<Layer> {
    let mut layers = split(distances);
    let neighbours = Neighbours::new(distances.len(), edges);
    let mut places = vec![0.0; distances.len()];
    layers.iter().for_each(|layer| set_places(layer, &mut places));
    for sweep in (0..SWEEPS).take_while(|_| goes_on()) {
        for step in 0..layers.len() {
            let index = if sweep % 2 == 0 { step } else { layers.len() - 1 - step };
            let layer = &mut layers[index];
            let mut keyed: Vec<(f64, f64, u32)> = layer
                .nodes
                .par_iter()
                .with_min_len(1_000)
                .map(|&node| (mean_place(node, distances, &neighbours, &places), places[node as usize], node))
                .collect();
            keyed.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
            layer.nodes.clear();
            layer.nodes.extend(keyed.into_iter().map(|(_, _, node)| node));
            set_places(layer, &mut places);
        }
    }
    layers
}

/// Returns the weighted mean of the places of a node and its neighbours.
fn mean_place(node: u32, distances: &[Option<u32>], neighbours: &Neighbours, places: &[f64]) -> f64 {
    let (mut sum, mut weights) = (places[node as usize], 1.0);
    for &other in neighbours.of(node) {
        let weight = if distances[other as usize] == distances[node as usize] { 1.0 } else { ACROSS };
        sum += weight * places[other as usize];
        weights += weight;
    }
    sum / weights
}

/// Returns how far the ends of edges stand apart along their layers on average, in lengths of a layer: the quality of an
/// order. A random one has about 1/3.
pub fn mean_length(layers: &[Layer], edges: &[(u32, u32)]) -> f64 {
    let mut places = vec![0.0; layers.iter().map(|layer| layer.nodes.len()).sum()];
    layers.iter().for_each(|layer| set_places(layer, &mut places));
    let lengths = edges.iter().map(|&(a, b)| (places[a as usize] - places[b as usize]).abs());
    lengths.sum::<f64>() / edges.len().max(1) as f64
}

/// Places for all nodes of the layers, in a drawing that is `height` times as high as layers are apart.
///
/// A layer of many nodes becomes a field of several columns, so that its area tells their number.
pub fn place(layers: &[Layer], height: f64) -> Placement {
    let node_count = layers.iter().map(|layer| layer.nodes.len()).sum();
    let fullest = layers.iter().map(|layer| layer.nodes.len()).max().unwrap_or(0).max(1);
    let spacing = widest_spacing(fullest, height);
    let most_columns = columns_of(fullest, spacing, height);
    let row_spacing =
        spacing * (height / (fullest.div_ceil(most_columns) as f64 + 0.5) / spacing).clamp(1.0, MOST_STRETCH);
    let mut positions = vec![(0.0, 0.0); node_count];
    for (layer, centre) in layers.iter().zip(centres(layers)) {
        let count = layer.nodes.len();
        let share = (count as f64 / fullest as f64).sqrt();
        let columns = ((most_columns as f64 * share).round() as usize).clamp(1, most_columns);
        let rows = count.div_ceil(columns);
        for (index, &node) in layer.nodes.iter().enumerate() {
            let (row, column) = (index / columns, index % columns);
            let x = centre + (column as f64 - (columns as f64 - 1.0) / 2.0) * spacing;
            // Every other column half a step lower: edges along a row do not hide one another.
            let shift = if columns > 1 { 0.25 * if column % 2 == 0 { -1.0 } else { 1.0 } } else { 0.0 };
            let y = (row as f64 - (rows as f64 - 1.0) / 2.0 + shift) * row_spacing;
            positions[node as usize] = (x, y);
        }
    }
    Placement { positions, spacing, row_spacing }
}

/// Place of each layer along the axis of distance.
pub fn centres(layers: &[Layer]) -> Vec<f64> {
    let farthest = layers.iter().filter_map(|layer| layer.distance).max().map_or(-1.5, f64::from);
    layers.iter().map(|layer| layer.distance.map_or(farthest + 1.5, f64::from)).collect()
}

/// Number of bins of each layer: the fullest `most`; the number grows with the root of a layer's size, so that
/// bins of full layers are larger.
pub fn parts(layers: &[Layer], most: usize) -> Vec<usize> {
    let fullest = layers.iter().map(|layer| layer.nodes.len()).max().unwrap_or(0).max(1);
    let factor = most as f64 / (fullest as f64).sqrt();
    let parts_of = |count: usize| ((factor * (count as f64).sqrt()).round() as usize).clamp(1, count.max(1));
    layers.iter().map(|layer| parts_of(layer.nodes.len())).collect()
}

/// Sums nodes up: the nodes of each layer, in their order, in as many bins as `parts` has for it.
///
/// A layer without an entry in `parts`, or with more parts than nodes, gets between one bin and one for each node.
pub fn bins(layers: &[Layer], edges: &[(u32, u32)], parts: &[usize]) -> Bins {
    let node_count: usize = layers.iter().map(|layer| layer.nodes.len()).sum();
    let (mut bin_of, mut layer_of, mut sizes) = (vec![0; node_count], Vec::new(), Vec::new());
    for (index, layer) in layers.iter().enumerate() {
        let count = layer.nodes.len();
        let parts = parts.get(index).copied().unwrap_or(1).clamp(1, count.max(1));
        for part in 0..parts {
            let members = &layer.nodes[part * count / parts..(part + 1) * count / parts];
            members.iter().for_each(|&node| bin_of[node as usize] = sizes.len() as u32);
            layer_of.push(index as u32);
            sizes.push(members.len() as u32);
        }
    }
    Bins { edges: joined(edges, &bin_of), bin_of, layer_of, sizes }
}

/// Unordered pairs of different groups that edges join, with their number.
fn joined(edges: &[(u32, u32)], group_of: &[u32]) -> Vec<(u32, u32, u32)> {
    let group = |node: u32| group_of.get(node as usize).copied();
    let pairs = edges.iter().filter_map(|&(a, b)| Some((group(a)?, group(b)?)));
    let mut pairs: Vec<(u32, u32)> = pairs.filter(|(a, b)| a != b).map(|(a, b)| (a.min(b), a.max(b))).collect();
    pairs.sort_unstable();
    pairs.chunk_by(|a, b| a == b).map(|run| (run[0].0, run[0].1, run.len() as u32)).collect()
}

fn split(distances: &[Option<u32>]) -> Vec<Layer> {
    // Absent sorts behind every distance.
    let key = |node: &u32| distances[*node as usize].map_or((true, 0), |distance| (false, distance));
    let mut nodes: Vec<u32> = (0..distances.len() as u32).collect();
    nodes.sort_by_key(key);
    let runs = nodes.chunk_by(|a, b| key(a) == key(b));
    runs.map(|run| Layer { distance: distances[run[0] as usize], nodes: run.to_vec() }).collect()
}

/// A node's place in its layer, from 0 to 1.
fn set_places(layer: &Layer, places: &mut [f64]) {
    let count = layer.nodes.len() as f64;
    for (rank, &node) in layer.nodes.iter().enumerate() {
        places[node as usize] = (rank as f64 + 0.5) / count;
    }
}

fn columns_of(count: usize, spacing: f64, height: f64) -> usize {
    let rows = ((height / spacing).floor() as usize).max(1);
    count.div_ceil(rows)
}

/// The widest spacing with which the fullest layer still fits its band.
fn widest_spacing(fullest: usize, height: f64) -> f64 {
    let mut spacing = height / 6.0;
    for columns in 1..=fullest {
        let rows = fullest.div_ceil(columns);
        let candidate = (height / (rows as f64 + 0.5)).min(BAND / columns as f64).min(height / 6.0);
        if columns == 1 || candidate > spacing {
            spacing = candidate;
        } else {
            break;
        }
    }
    spacing
}

/// Neighbours of each node, whatever the direction of the edge.
struct Neighbours {
    offsets: Vec<usize>,
    targets: Vec<u32>,
}

impl Neighbours {
    fn new(node_count: usize, edges: &[(u32, u32)]) -> Self {
        let valid = |&&(a, b): &&(u32, u32)| (a as usize) < node_count && (b as usize) < node_count && a != b;
        let mut offsets = vec![0; node_count + 1];
        for &(a, b) in edges.iter().filter(valid) {
            offsets[a as usize + 1] += 1;
            offsets[b as usize + 1] += 1;
        }
        for node in 0..node_count {
            offsets[node + 1] += offsets[node];
        }
        let (mut next, mut targets) = (offsets.clone(), vec![0; offsets[node_count]]);
        for &(a, b) in edges.iter().filter(valid) {
            for (from, to) in [(a, b), (b, a)] {
                targets[next[from as usize]] = to;
                next[from as usize] += 1;
            }
        }
        Self { offsets, targets }
    }

    fn of(&self, node: u32) -> &[u32] {
        &self.targets[self.offsets[node as usize]..self.offsets[node as usize + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of crossings between edges that join neighbouring layers.
    fn crossings(layers: &[Layer], edges: &[(u32, u32)]) -> usize {
        let place = |node: u32| {
            let (index, layer) = layers.iter().enumerate().find(|(_, layer)| layer.nodes.contains(&node)).unwrap();
            (index, layer.nodes.iter().position(|&other| other == node).unwrap())
        };
        let drawn: Vec<_> = edges.iter().map(|&(a, b)| (place(a).min(place(b)), place(a).max(place(b)))).collect();
        let cross = |i: usize, j: usize| {
            let ((a, b), (c, d)) = (drawn[i], drawn[j]);
            a.0 == c.0 && b.0 == d.0 && (a.1 < c.1) != (b.1 < d.1) && a.1 != c.1 && b.1 != d.1
        };
        (0..drawn.len()).flat_map(|i| (0..i).map(move |j| (i, j))).filter(|&(i, j)| cross(i, j)).count()
    }

    /// Goal 0; nodes 1 to 3 at distance 1, each with one node behind it, numbered the wrong way round.
    const TREE: [(u32, u32); 6] = [(0, 1), (0, 2), (0, 3), (1, 6), (2, 5), (3, 4)];
    const TREE_DISTANCES: [Option<u32>; 7] = [Some(0), Some(1), Some(1), Some(1), Some(2), Some(2), Some(2)];

    #[test]
    fn a_tree_is_drawn_without_crossings() {
        assert_eq!(crossings(&split(&TREE_DISTANCES), &TREE), 3);
        let layers = layers(&TREE_DISTANCES, &TREE);
        assert_eq!(crossings(&layers, &TREE), 0, "{layers:?}");
    }

    #[test]
    fn nodes_stand_at_their_distance_and_apart() {
        // Layers of 1, 40 and 3 nodes and two nodes from which no goal can be reached.
        let mut distances = vec![Some(0)];
        distances.extend([Some(1); 40]);
        distances.extend([Some(2); 3]);
        distances.extend([None; 2]);
        let edges: Vec<(u32, u32)> = (1..44).map(|node| (node / 3, node)).collect();
        let layers = layers(&distances, &edges);
        let placement = place(&layers, 5.0);
        for (node, &(x, y)) in placement.positions.iter().enumerate() {
            let centre = distances[node].map_or(3.5, f64::from);
            assert!((x - centre).abs() <= 0.36, "node {node} at {x}, layer at {centre}");
            assert!(y.abs() <= 2.51, "node {node} at {y}");
            for &(other_x, other_y) in &placement.positions[..node] {
                assert!((x - other_x).hypot(y - other_y) > 0.99 * placement.spacing);
            }
        }
        assert_eq!(placement, place(&super::layers(&distances, &edges), 5.0));
    }

    #[test]
    fn bins_keep_every_node_and_every_edge() {
        let distances: Vec<Option<u32>> = (0..1_000_u32).map(|node| Some(node.isqrt())).collect();
        let edges: Vec<(u32, u32)> = (1..1_000_u32).map(|node| (node, node - node.isqrt())).collect();
        let layers = layers(&distances, &edges);
        let bins = bins(&layers, &edges, &parts(&layers, 10));
        assert_eq!(bins.sizes.iter().sum::<u32>(), 1_000);
        assert!(bins.sizes.iter().all(|&size| size > 0));
        let most = (0..layers.len() as u32).map(|layer| bins.layer_of.iter().filter(|&&at| at == layer).count()).max();
        assert_eq!(most, Some(10));
        let inside = edges.iter().filter(|&&(a, b)| bins.bin_of[a as usize] == bins.bin_of[b as usize]).count();
        assert_eq!(bins.edges.iter().map(|edge| edge.2 as usize).sum::<usize>() + inside, edges.len());
    }

    #[test]
    fn nothing_and_strange_edges_do_no_harm() {
        assert!(layers(&[], &[(0, 1)]).is_empty());
        assert!(place(&[], 3.0).positions.is_empty());
        let alone = layers(&[None], &[(0, 0), (0, 9)]);
        assert_eq!(place(&alone, 3.0).positions, [(0.0, 0.0)]);
        assert!(bins(&alone, &[(0, 9)], &[10]).edges.is_empty());
    }
}
