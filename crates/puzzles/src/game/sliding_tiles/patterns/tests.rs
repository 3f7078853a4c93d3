use super::*;

#[test]
fn shown() {
    for (width, height, blank) in [(4, 4, 15), (4, 4, 0), (3, 3, 8), (4, 3, 11), (5, 5, 24)] {
        println!("{:?}", parted(&Frame::new(width, height), blank));
    }
}
