//! Hidden springs: inputs, what a listener hears and a digger finds, the score, and a picture of how it went.

use std::fmt::Write;

pub const WORTH: i64 = 1000;
pub const LISTENING: i64 = 10;
pub const DIGGING: i64 = 60;

pub struct Input {
    pub n: usize,
    /// Of 100 answers, how many are off by one.
    pub blur: i64,
    /// Decides which are, and in which direction.
    pub seed: u64,
    pub springs: Vec<(usize, usize)>,
}

/// A small generator of our own: splitmix64, so that a seed gives the same input everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform among low, ..., high.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }
}

pub fn generate(seed: u64) -> Input {
    let mut random = Random::new(seed);
    let n = random.between(15, 40) as usize;
    let count = random.between(2, 8) as usize;
    let blur = random.between(0, 30);
    let mut springs = Vec::new();
    while springs.len() < count {
        let last = n as i64 - 1;
        let cell = (random.between(0, last) as usize, random.between(0, last) as usize);
        if !springs.contains(&cell) {
            springs.push(cell);
        }
    }
    Input { n, blur, seed: random.next() >> 1, springs }
}

pub fn write_input(input: &Input) -> String {
    let mut text = format!("{} {} {} {}\n", input.n, input.springs.len(), input.blur, input.seed);
    for (row, column) in &input.springs {
        let _ = writeln!(text, "{row} {column}");
    }
    text
}

pub fn read_input(text: &str) -> Result<Input, String> {
    let mut words = text.split_whitespace().map(|word| word.parse::<u64>());
    let mut next = || match words.next() {
        Some(Ok(number)) => Ok(number),
        _ => Err("the input is broken off or holds something else than integers".to_string()),
    };
    let n = next()? as usize;
    let count = next()?;
    let blur = next()? as i64;
    let seed = next()?;
    let mut springs = Vec::new();
    for _ in 0..count {
        springs.push((next()? as usize, next()? as usize));
    }
    Ok(Input { n, blur, seed, springs })
}

/// What a program may do in a turn.
#[derive(Clone, Copy)]
pub enum Act {
    Listen(usize, usize),
    Dig(usize, usize),
    End,
}

pub fn read_act(line: &str, n: usize) -> Result<Act, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let cell = |row: &str, column: &str| -> Result<(usize, usize), String> {
        let side = |name: &str, word: &str| match word.parse::<usize>() {
            Ok(number) if number < n => Ok(number),
            _ => Err(format!("{name} = {word:?} is not between 0 and {}", n - 1)),
        };
        Ok((side("i", row)?, side("j", column)?))
    };
    match words[..] {
        ["?", row, column] => cell(row, column).map(|(i, j)| Act::Listen(i, j)),
        ["#", row, column] => cell(row, column).map(|(i, j)| Act::Dig(i, j)),
        ["!"] => Ok(Act::End),
        _ => Err(format!("{line:?} is none of \"? i j\", \"# i j\" and \"!\"")),
    }
}

pub struct Field<'a> {
    input: &'a Input,
    /// Of the springs, those that were found.
    pub found: Vec<bool>,
    pub acts: Vec<(Act, i64)>,
    pub listened: i64,
    pub dug: i64,
    random: Random,
}

impl<'a> Field<'a> {
    pub fn new(input: &'a Input) -> Self {
        let found = vec![false; input.springs.len()];
        Field { input, found, acts: vec![], listened: 0, dug: 0, random: Random::new(input.seed) }
    }

    /// The answer; None at the end. What a turn hears depends on the input and on how many turns listened before.
    pub fn act(&mut self, act: Act) -> Result<Option<i64>, String> {
        if self.acts.len() >= 2 * self.input.n * self.input.n {
            return Err("there are more than 2 N^2 turns".to_string());
        }
        let answer = match act {
            Act::Listen(i, j) => self.listen(i, j),
            Act::Dig(i, j) => self.dig(i, j),
            Act::End => return Ok(None),
        };
        self.acts.push((act, answer));
        Ok(Some(answer))
    }

    fn listen(&mut self, i: usize, j: usize) -> i64 {
        self.listened += 1;
        let draw = self.random.between(0, 199);
        let shift = if draw >= 2 * self.input.blur { 0 } else if draw % 2 == 0 { 1 } else { -1 };
        let open = self.input.springs.iter().zip(&self.found).filter(|(_, found)| !**found);
        let nearest = open.map(|((a, b), _)| (a.abs_diff(i) + b.abs_diff(j)) as i64).min();
        nearest.map_or(-1, |distance| (distance + shift).max(0))
    }

    fn dig(&mut self, i: usize, j: usize) -> i64 {
        self.dug += 1;
        match self.input.springs.iter().position(|&spring| spring == (i, j)) {
            Some(at) if !self.found[at] => {
                self.found[at] = true;
                1
            }
            _ => 0,
        }
    }

    pub fn score(&self) -> i64 {
        let found = self.found.iter().filter(|&&each| each).count() as i64;
        (WORTH * found - LISTENING * self.listened - DIGGING * self.dug).max(0)
    }
}

/// What a program wrote, acted out again.
pub fn replay<'a>(input: &'a Input, output: &str) -> Result<Field<'a>, String> {
    let mut field = Field::new(input);
    for line in output.lines().filter(|line| !line.trim().is_empty()) {
        if field.act(read_act(line, input.n)?)?.is_none() {
            return Ok(field);
        }
    }
    Err("the output ends without \"!\"".to_string())
}

/// Springs blue, those that were found green; what was heard as numbers, what was dug as squares.
pub fn draw(input: &Input, field: &Field) -> String {
    let size = 18;
    let side = size * input.n;
    let mut svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" width=\"{side}\" height=\"{side}\">\n<rect width=\"{side}\" height=\"{side}\" fill=\"#f3efe4\" stroke=\"#888\"/>\n");
    for (&(i, j), &found) in input.springs.iter().zip(&field.found) {
        let colour = if found { "#3a9b5c" } else { "#2f6db5" };
        let _ = writeln!(svg, "<circle cx=\"{}\" cy=\"{}\" r=\"8\" fill=\"{colour}\"/>", j * size + size / 2, i * size + size / 2);
    }
    for (turn, &(act, answer)) in field.acts.iter().enumerate() {
        match act {
            Act::Listen(i, j) => {
                let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\" font-size=\"10\" text-anchor=\"middle\">{answer}<title>turn {turn}: ({i}, {j})</title></text>", j * size + size / 2, i * size + size - 5);
            }
            Act::Dig(i, j) => {
                let _ = writeln!(svg, "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#b3261e\"><title>turn {turn}: ({i}, {j})</title></rect>", j * size + 1, i * size + 1, size - 2, size - 2);
            }
            Act::End => {}
        }
    }
    svg + "</svg>\n"
}
