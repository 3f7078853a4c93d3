//! Flow of things from stage to stage with all that was left out on the way, as CONSORT draws it (Moher et al.,
//! 2010; Schulz, Altman and Moher, 2010).

use super::chart::{Chart, Page};
use super::label::note;
use super::message::Message;
use super::sheet::{INK, Pen, Rect, SOFT_INK, Sheet, TextStyle, Translated, grouped};
use super::{ChartError, Heading, PlottedData, Style};

/// The most groups that one figure shows side by side.
pub const MOST_GROUPS: usize = 4;

/// A number of things.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowCount {
    /// Their number.
    pub number: u64,
    /// Noun for one of them, such as `row`.
    pub singular: String,
    /// Noun for several, such as `rows`.
    pub plural: String,
}

impl FlowCount {
    /// So many of these.
    pub fn new(number: u64, singular: &str, plural: &str) -> Self {
        Self { number, singular: singular.to_owned(), plural: plural.to_owned() }
    }
}

/// One box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowBox {
    /// Title, such as `Analysed`; may be empty.
    pub title: String,
    /// The same in the words of a user, such as the reason of an exclusion: no language changes them. May be empty.
    pub words: String,
    /// Counts of several things, all on the same line where there is room.
    pub counts: Vec<FlowCount>,
    /// Of which kinds it consists, such as `illegal move`, and how many of each. The first three are drawn.
    pub kinds: Vec<(String, u64)>,
}

/// Things left at one stage, and those left out between it and the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowStage {
    /// Things that are left.
    pub left: FlowBox,
    /// Things left out behind it, from top to bottom; nothing behind the last stage.
    pub left_out: Vec<FlowBox>,
}

/// A flow chart: stages from top to bottom, what was left out at their right, and groups side by side below the last
/// stage. Goes on on further pages where it is too tall.
///
/// There must be at most 4 groups, and nothing that is left out behind the last stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// The stages, from top to bottom.
    pub stages: Vec<FlowStage>,
    /// The parts of the last stage, such as experimental conditions; may be empty.
    pub groups: Vec<FlowBox>,
}

impl Chart for Flow {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        let groups = self.groups.len();
        match self.stages.last() {
            None if groups > 0 => Err("there are groups, but no stage that they are parts of".to_owned()),
            Some(last) if !last.left_out.is_empty() => Err(format!(
                "{:?} is left out behind the last stage: give the stage that follows it",
                last.left_out[0].title
            )),
            _ if groups > MOST_GROUPS => {
                Err(format!("{groups} groups, but one figure shows {MOST_GROUPS} side by side: draw none of them"))
            }
            _ => Ok(()),
        }
    }

    fn reading(&self) -> String {
        match self.stages.len() {
            0 => String::new(),
            _ => "Boxes from top to bottom are what is left, those at the right what was left out before the next one"
                .to_owned(),
        }
    }

    fn pages<'a>(&'a self, style: &'a Style, room_mm: f64) -> Result<Vec<Page<'a>>, ChartError> {
        if self.stages.is_empty() {
            return Ok(vec![Page::empty(PlottedData::new(HEADER))]);
        }
        let pages = self.sketches(style, room_mm)?.into_iter().map(|sketch| {
            let (data, height) = (sketch.data.clone(), sketch.height);
            (sketch, data, height)
        });
        Ok(Page::all(pages.collect(), |sheet, body, sketch: &Sketch| sketch.draw(sheet, body)))
    }
}

/// Columns of the numbers.
const HEADER: &str = "stage,box,title,words,what,count";
/// Between the rim of a box and its text, in millimetres.
const PADDING_MM: f64 = 1.3;
/// From the arrow down to the boxes at its right.
const ASIDE_MM: f64 = 5.0;
/// Above a box in the middle, where its arrow ends.
const ABOVE_STAGE_MM: f64 = 4.5;
/// Above the first box at the right, and above the others.
const ABOVE_SIDE_MM: [f64; 2] = [3.0, 1.6];
/// From the last stage to the groups.
const ABOVE_GROUPS_MM: f64 = 7.5;
/// Between groups.
const BETWEEN_GROUPS_MM: f64 = 2.5;
/// At the end and at the beginning of a page behind and before which it goes on.
const TORN_MM: f64 = 6.0;
/// The widest text at the right: longer lines are hard to read.
const WIDEST_SIDE_MM: f64 = 95.0;
/// The most lines of a user's words, and of the name of a group.
const MOST_LINES: usize = 8;
/// Number of kinds that are drawn.
const MOST_KINDS: usize = 3;

/// The text of a box in lines.
#[derive(Clone, Default)]
struct Lines<'a>(Vec<(TextStyle<'a>, Translated)>);

impl<'a> Lines<'a> {
    fn new(flow_box: &FlowBox, style: &'a Style, width_mm: f64) -> Result<Self, ChartError> {
        let (font, bold) = (style.label(), style.label().bold());
        let mut lines = Vec::new();
        lines.extend(bold.wrapped(&flow_box.title, width_mm)?.into_iter().map(|line| (bold, line)));
        let of_words = if flow_box.title.is_empty() { bold } else { font };
        lines.extend(lines_of_words(&flow_box.words, of_words, width_mm)?.into_iter().map(|line| (of_words, line)));
        let mut plain = Vec::new();
        for (place, count) in flow_box.counts.iter().enumerate() {
            let what = if count.number == 1 { &count.singular } else { &count.plural };
            let text = font.translate(&format!("{} {what}", grouped(count.number)));
            let text = if place + 1 < flow_box.counts.len() { format!("{},", &*text) } else { text.to_string() };
            match plain.last_mut() {
                Some(line) if font.width_of(&Translated::as_is(format!("{line} {text}")))? <= width_mm => {
                    *line = format!("{line} {text}");
                }
                _ => plain.push(text),
            }
        }
        for (label, number) in flow_box.kinds.iter().take(MOST_KINDS) {
            plain.push(font.translate(&format!("{label} (n = {})", grouped(*number))).to_string());
        }
        let n_more = flow_box.kinds.len().saturating_sub(MOST_KINDS);
        plain.extend(note(n_more, Message::MoreKind, Message::MoreKinds).map(|text| font.translate(&text).to_string()));
        for line in plain {
            lines.extend(font.wrapped(&Translated::as_is(line), width_mm)?.into_iter().map(|line| (font, line)));
        }
        Ok(Self(lines))
    }

    /// Width of a box around the widest of such texts.
    fn box_mm<'b>(all: impl IntoIterator<Item = &'b Self>) -> Result<f64, ChartError>
    where
        'a: 'b,
    {
        let mut widest = 0.0_f64;
        for (font, line) in all.into_iter().flat_map(|lines| &lines.0) {
            widest = widest.max(font.width_of(line)?);
        }
        Ok(widest + 2.0 * PADDING_MM)
    }

    fn height_mm(&self) -> f64 {
        let line_mm = self.0.first().map_or(0.0, |(font, _)| font.line_mm());
        2.0 * PADDING_MM + line_mm * self.0.len() as f64
    }
}

/// The words of a user, broken between words, or anywhere if one of these is wider than a line.
fn lines_of_words(words: &str, font: TextStyle, width_mm: f64) -> Result<Vec<Translated>, ChartError> {
    let mut fits = true;
    for word in words.split_whitespace() {
        fits = fits && font.width_of(&Translated::as_is(word.to_owned()))? <= width_mm;
    }
    let words = Translated::as_is(words.split_whitespace().collect::<Vec<_>>().join(" "));
    match fits {
        true => font.wrapped_within(&words, width_mm, MOST_LINES),
        false => font.wrapped_name(&words, width_mm, MOST_LINES),
    }
}

/// Content of a page, its places counted from the upper left corner of the drawing.
#[derive(Default)]
struct Sketch<'a> {
    /// Boxes, their lines, and whether these stand in the middle.
    boxes: Vec<(Rect, Lines<'a>, bool)>,
    arrows: Vec<[(f64, f64); 2]>,
    lines: Vec<[(f64, f64); 2]>,
    /// Message beside a line that is torn, with its place.
    torn: Vec<(f64, f64, Message)>,
    data: PlottedData,
    height: f64,
}

/// Widths and places that all pages share.
struct Columns {
    /// Left edge and width of the stages, and where their arrow runs.
    left: f64,
    stage: f64,
    arrow: f64,
    /// Width of what is left out.
    side: f64,
    /// Left edge of the first group, and width of each.
    first_group: f64,
    group: f64,
}

/// A box in the order of the drawing.
enum Block {
    Stage(usize),
    LeftOut(usize, usize),
}

impl Flow {
    /// The boxes laid out on pages.
    fn sketches<'a>(&self, style: &'a Style, room_mm: f64) -> Result<Vec<Sketch<'a>>, ChartError> {
        let inner = style.width_mm - 2.0 * super::sheet::MARGIN;
        let text = |flow_box: &FlowBox, width: f64| Lines::new(flow_box, style, width - 2.0 * PADDING_MM);
        let any_left_out = self.stages.iter().any(|stage| !stage.left_out.is_empty());
        let most = if any_left_out { 0.6 * inner } else { inner };
        let stages = self.stages.iter().map(|stage| text(&stage.left, most)).collect::<Result<Vec<_>, _>>()?;
        let stage = Lines::box_mm(&stages)?;
        let most = (inner - stage / 2.0 - ASIDE_MM).min(WIDEST_SIDE_MM);
        let of_stage = |stage: &FlowStage| stage.left_out.iter().map(|flow_box| text(flow_box, most)).collect();
        let left_out = self.stages.iter().map(of_stage).collect::<Result<Vec<Vec<_>>, _>>()?;
        let side = Lines::box_mm(left_out.iter().flatten())?;
        let n_groups = self.groups.len() as f64;
        let most = (inner - (n_groups - 1.0) * BETWEEN_GROUPS_MM) / n_groups;
        let groups = self.groups.iter().map(|group| text(group, most)).collect::<Result<Vec<_>, _>>()?;
        let group = Lines::box_mm(&groups)?;

        // The whole stands in the middle of the sheet, the groups below the arrow where there is room.
        let all_groups = n_groups * group + (n_groups - 1.0).max(0.0) * BETWEEN_GROUPS_MM;
        let half = stage / 2.0;
        let right = if any_left_out { half.max(ASIDE_MM + side) } else { half };
        let right = right.max((all_groups / 2.0).min(inner / 2.0));
        let to_left = half.max((all_groups / 2.0).min(inner - right));
        let left = (inner - to_left - right) / 2.0 + to_left - half;
        let arrow = left + half;
        let first_group = (arrow - all_groups / 2.0).clamp(0.0, (inner - all_groups).max(0.0));
        let columns = Columns { left, stage, arrow, side, first_group, group };
        self.on_pages(&columns, &stages, &left_out, &groups, room_mm)
    }

    fn on_pages<'a>(
        &self,
        columns: &Columns,
        stages: &[Lines<'a>],
        left_out: &[Vec<Lines<'a>>],
        groups: &[Lines<'a>],
        room_mm: f64,
    ) -> Result<Vec<Sketch<'a>>, ChartError> {
        let blocks: Vec<Block> = (0..stages.len())
            .flat_map(|stage| {
                let sides = (0..left_out[stage].len()).map(move |side| Block::LeftOut(stage, side));
                std::iter::once(Block::Stage(stage)).chain(sides)
            })
            .collect();
        let group_mm = groups.iter().map(Lines::height_mm).fold(0.0, f64::max);
        let (mut pages, mut page) = (Vec::new(), Sketch::new());
        // Where the arrow down begins that is not drawn yet.
        let mut from = None;
        for (place, block) in blocks.iter().enumerate() {
            let (above, lines) = match *block {
                Block::Stage(0) => (0.0, &stages[0]),
                Block::Stage(stage) => (ABOVE_STAGE_MM, &stages[stage]),
                Block::LeftOut(stage, side) => (ABOVE_SIDE_MM[side.min(1)], &left_out[stage][side]),
            };
            let behind = match place + 1 == blocks.len() {
                true if groups.is_empty() => 0.0,
                true => ABOVE_GROUPS_MM + group_mm,
                false => TORN_MM,
            };
            if !page.boxes.is_empty() && page.height + above + lines.height_mm() + behind > room_mm {
                page.tear(columns.arrow, from.unwrap_or_default());
                pages.push(std::mem::replace(&mut page, Sketch::new()));
                page.torn.push((columns.arrow, 0.0, Message::ContinuedFromPageBefore));
                page.height = TORN_MM;
                from = Some(0.0);
            }
            match *block {
                Block::Stage(stage) => {
                    let top = if page.boxes.is_empty() { page.height } else { page.height + above };
                    page.place(columns.left, top, columns.stage, lines.height_mm(), lines, true);
                    page.arrows.extend(from.map(|from| [(columns.arrow, from), (columns.arrow, top)]));
                    from = Some(page.height);
                    page.tell(stage, "left", &self.stages[stage].left);
                }
                Block::LeftOut(stage, side) => {
                    let (left, top) = (columns.arrow + ASIDE_MM, page.height + above);
                    page.place(left, top, columns.side, lines.height_mm(), lines, false);
                    let middle = (top + page.height) / 2.0;
                    page.arrows.push([(columns.arrow, middle), (left, middle)]);
                    page.tell(stage, "left out", &self.stages[stage].left_out[side]);
                }
            }
        }
        let bar = page.height + ABOVE_GROUPS_MM / 2.0;
        let top = page.height + ABOVE_GROUPS_MM;
        let bottom = page.height;
        let mut middles = Vec::new();
        for (place, lines) in groups.iter().enumerate() {
            let left = columns.first_group + place as f64 * (columns.group + BETWEEN_GROUPS_MM);
            page.place(left, top, columns.group, group_mm, lines, true);
            let middle = left + columns.group / 2.0;
            page.arrows.push([(middle, bar), (middle, top)]);
            page.tell(stages.len(), "group", &self.groups[place]);
            middles.push(middle);
        }
        if let (Some(&first), Some(&last)) = (middles.first(), middles.last()) {
            page.lines.push([(columns.arrow, bottom), (columns.arrow, bar)]);
            page.lines.push([(first.min(columns.arrow), bar), (last.max(columns.arrow), bar)]);
        }
        pages.push(page);
        Ok(pages)
    }
}

impl<'a> Sketch<'a> {
    fn new() -> Self {
        Self { data: PlottedData::new(HEADER), ..Self::default() }
    }

    fn place(&mut self, left: f64, top: f64, width: f64, height: f64, lines: &Lines<'a>, is_centred: bool) {
        self.boxes.push((Rect { left, top, width, height }, lines.clone(), is_centred));
        self.height = top + height;
    }

    /// Ends the page with an arrow that goes on on the next one.
    fn tear(&mut self, arrow: f64, from: f64) {
        self.height += TORN_MM;
        self.arrows.push([(arrow, from), (arrow, self.height)]);
        self.torn.push((arrow, self.height - TORN_MM, Message::ContinuedOnNextPage));
    }

    /// Adds the numbers of a box.
    fn tell(&mut self, stage: usize, place: &str, flow_box: &FlowBox) {
        let what = flow_box.counts.first().map_or("", |count| &count.plural);
        let rows = flow_box.counts.iter().map(|count| (place, &flow_box.title, &count.plural[..], count.number));
        let kinds = flow_box.kinds.iter().map(|(label, number)| ("kind", label, what, *number));
        for (place, title, what, number) in rows.chain(kinds) {
            let cells = [&(stage + 1).to_string(), place, title, &flow_box.words, what, &number.to_string()];
            self.data.rows.push(cells.map(str::to_owned).to_vec());
        }
    }

    fn draw(&self, sheet: &Sheet, body: Rect) -> Result<(), ChartError> {
        let at = |(x, y): (f64, f64)| (body.left + x, body.top + y);
        let pen = Pen::new(INK, 0.5);
        for line in &self.lines {
            sheet.line(&line.map(at), pen)?;
        }
        for &[from, to] in &self.arrows {
            draw_arrow(sheet, at(from), at(to), pen)?;
        }
        for (place, lines, is_centred) in &self.boxes {
            let place = Rect { left: body.left + place.left, top: body.top + place.top, ..*place };
            sheet.outline(&place.corners(), pen)?;
            for (index, (font, line)) in lines.0.iter().enumerate() {
                let base = place.top + PADDING_MM + (index as f64 + 0.5) * font.line_mm() + font.half_cap_mm();
                match is_centred {
                    true => sheet.text(place.centre().0, base, line, font.centre())?,
                    false => sheet.text(place.left + PADDING_MM, base, line, *font)?,
                }
            }
        }
        let font = sheet.style.label().colour(SOFT_INK);
        for &(x, top, message) in &self.torn {
            let (x, y) = at((x + 1.5, top + TORN_MM / 2.0));
            sheet.text(x, y + font.half_cap_mm(), &message, font)?;
        }
        Ok(())
    }
}

/// A line that ends with a head: down or to the right.
fn draw_arrow(sheet: &Sheet, from: (f64, f64), (x, y): (f64, f64), pen: Pen) -> Result<(), ChartError> {
    const LONG_MM: f64 = 1.4;
    const HALF_MM: f64 = 0.55;
    let head = match from.1 == y {
        true => [(x, y), (x - LONG_MM, y - HALF_MM), (x - LONG_MM, y + HALF_MM)],
        false => [(x, y), (x - HALF_MM, y - LONG_MM), (x + HALF_MM, y - LONG_MM)],
    };
    let end = ((head[1].0 + head[2].0) / 2.0, (head[1].1 + head[2].1) / 2.0);
    sheet.line(&[from, end], pen)?;
    sheet.fill(&head, INK, 1.0)
}

#[cfg(test)]
mod tests;
