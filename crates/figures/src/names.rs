//! Names below a horizontal axis: level where they fit, else upright, else not all of them.

use super::ChartError;
use super::axis::TICK_MM;
use super::sheet::{INK, Pen, Rect, Sheet, TextStyle, Translated};

/// The names that are shown, and how.
pub(super) struct LevelNames {
    /// One entry for each level; absent where the level has a tick alone.
    shown: Vec<Option<Translated>>,
    upright: bool,
    /// `true` if some levels have no name.
    pub thinned: bool,
    /// Room that the names need below the ticks, in millimetres.
    pub depth_mm: f64,
}

impl LevelNames {
    /// Names for levels that stand `pitch_mm` apart; an upright name is cut at `most_mm`.
    pub fn new(levels: &[String], pitch_mm: f64, font: &TextStyle, most_mm: f64) -> Result<Self, ChartError> {
        let mut widest = 0.0_f64;
        for level in levels {
            widest = widest.max(font.width_of(level)?);
        }
        let flat = |shown: Vec<Option<Translated>>| {
            let thinned = shown.iter().any(Option::is_none);
            Self { shown, upright: false, thinned, depth_mm: font.em_mm() }
        };
        let needed = widest + 0.7 * font.em_mm();
        if needed <= pitch_mm || (levels.len() == 1 && widest <= pitch_mm) {
            return Ok(flat(levels.iter().map(|level| Some(font.translate(level))).collect()));
        }
        // Of consecutive numbers a few are enough.
        if let Some(numbers) = consecutive(levels) {
            let stride = [2, 5, 10, 20, 50].into_iter().find(|&stride| needed <= stride as f64 * pitch_mm);
            if let Some(stride) = stride.filter(|&stride| numbers.iter().filter(|&n| n % stride == 0).count() > 1) {
                let shown =
                    numbers.iter().zip(levels).map(|(n, level)| (n % stride == 0).then(|| font.translate(level)));
                return Ok(flat(shown.collect()));
            }
        }
        let stride = (1.08 * font.em_mm() / pitch_mm).ceil().max(1.0) as usize;
        let mut shown = Vec::with_capacity(levels.len());
        let mut depth_mm = 0.0_f64;
        for (index, level) in levels.iter().enumerate() {
            let name = if index % stride == 0 { Some(font.cut(level, most_mm)?) } else { None };
            depth_mm = depth_mm.max(name.as_ref().map_or(Ok(0.0), |name| font.width_of(name))?);
            shown.push(name);
        }
        Ok(Self { shown, upright: true, thinned: stride > 1, depth_mm })
    }

    /// Draws ticks and names below the plot.
    pub fn draw(&self, sheet: &Sheet, plot: Rect, pitch_mm: f64) -> Result<(), ChartError> {
        let font = sheet.style.small();
        let bottom = plot.bottom();
        for (index, name) in self.shown.iter().enumerate() {
            let x = plot.left + (index as f64 + 0.5) * pitch_mm;
            let length = if name.is_some() { TICK_MM } else { TICK_MM / 2.0 };
            sheet.line(&[(x, bottom), (x, bottom + length)], Pen::new(INK, if name.is_some() { 0.5 } else { 0.3 }))?;
            let Some(name) = name else {
                continue;
            };
            match self.upright {
                true => {
                    sheet.text(x + font.half_cap_mm(), bottom + TICK_MM + 0.6, name, font.right().upwards())?;
                }
                false => sheet.text(x, bottom + TICK_MM + 0.4 + 0.75 * font.em_mm(), name, font.centre())?,
            }
        }
        Ok(())
    }
}

/// The names as numbers, where each is one more than the one before it.
fn consecutive(levels: &[String]) -> Option<Vec<u64>> {
    let numbers: Vec<u64> = levels.iter().map(|level| level.parse().ok()).collect::<Option<_>>()?;
    numbers.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1])).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(levels: &[&str], pitch_mm: f64) -> (Vec<String>, bool) {
        let levels: Vec<String> = levels.iter().map(|&level| level.to_owned()).collect();
        let names = LevelNames::new(&levels, pitch_mm, &TextStyle::new(6.0), 20.0).unwrap();
        assert_eq!(names.thinned, names.shown.iter().any(Option::is_none));
        (names.shown.into_iter().flatten().map(|name| name.to_string()).collect(), names.upright)
    }

    #[test]
    fn names_are_level_then_upright_then_thinned() {
        // 6 points are 2.12 mm: upright names stand at least 2.29 mm apart.
        let names = ["easy one", "hard one", "last one", "extra"];
        assert_eq!(shown(&names, 15.0), (names.map(str::to_owned).to_vec(), false));
        assert_eq!(shown(&names, 2.5), (names.map(str::to_owned).to_vec(), true));
        assert_eq!(shown(&names, 1.2), (vec!["easy one".to_owned(), "last one".to_owned()], true));
    }

    #[test]
    fn consecutive_numbers_are_thinned_to_round_ones() {
        let numbers: Vec<String> = (1..=70).map(|number| number.to_string()).collect();
        let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
        let (named, upright) = shown(&numbers, 1.0);
        assert_eq!(named, ["5", "10", "15", "20", "25", "30", "35", "40", "45", "50", "55", "60", "65", "70"]);
        assert!(!upright);
        assert_eq!(consecutive(&["3".to_owned(), "5".to_owned()]), None);
        assert_eq!(consecutive(&["1".to_owned(), "1a".to_owned()]), None);
    }
}
