//! Lantern garden: reading inputs and outputs, generating inputs, counting the score, drawing the garden.

use std::collections::VecDeque;
use std::fmt::Write;

pub const POWERS: usize = 5;

pub struct Input {
    pub n: usize,
    pub k: usize,
    pub costs: [i64; POWERS],
    /// Worth of each cell; -1 is a wall.
    pub worth: Vec<Vec<i64>>,
}

pub struct Lantern {
    pub row: usize,
    pub column: usize,
    pub power: usize,
}

pub struct Output {
    pub lanterns: Vec<Lantern>,
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
    let n = random.between(20, 40) as usize;
    let k = random.between(8, 24) as usize;
    let step = random.between(40, 90);
    let mut costs = [0; POWERS];
    for (power, cost) in costs.iter_mut().enumerate() {
        let reach = power as i64 + 1;
        *cost = step * reach + random.between(0, 20) * reach;
    }
    let mut worth = vec![vec![0; n]; n];
    for cell in worth.iter_mut().flatten() {
        *cell = random.between(0, 9);
    }
    for _ in 0..random.between(4, 9) {
        grow_bed(&mut random, &mut worth);
    }
    for _ in 0..random.between(n as i64 / 4, n as i64) {
        build_wall(&mut random, &mut worth);
    }
    if worth.iter().flatten().all(|&cell| cell < 0) {
        worth[0][0] = 1;
    }
    Input { n, k, costs, worth }
}

/// Flowers: the nearer to the middle of a bed, the more a cell is worth.
fn grow_bed(random: &mut Random, worth: &mut [Vec<i64>]) {
    let n = worth.len() as i64;
    let (row, column) = (random.between(0, n - 1), random.between(0, n - 1));
    let (reach, most) = (random.between(2, n / 4), random.between(20, 80));
    for i in 0..n {
        for j in 0..n {
            let distance = (i - row).abs() + (j - column).abs();
            if distance <= reach {
                let cell = &mut worth[i as usize][j as usize];
                *cell = (*cell + most * (reach + 1 - distance) / (reach + 1)).min(99);
            }
        }
    }
}

fn build_wall(random: &mut Random, worth: &mut [Vec<i64>]) {
    let n = worth.len() as i64;
    let (mut row, mut column) = (random.between(0, n - 1), random.between(0, n - 1));
    let is_upright = random.between(0, 1) == 1;
    for _ in 0..random.between(2, n / 4) {
        if row >= n || column >= n {
            break;
        }
        worth[row as usize][column as usize] = -1;
        if is_upright {
            row += 1;
        } else {
            column += 1;
        }
    }
}

pub fn write_input(input: &Input) -> String {
    let mut text = format!("{} {}\n", input.n, input.k);
    text += &join(&input.costs);
    for row in &input.worth {
        text += &join(row);
    }
    text
}

fn join(numbers: &[i64]) -> String {
    let words: Vec<String> = numbers.iter().map(i64::to_string).collect();
    words.join(" ") + "\n"
}

pub fn read_input(text: &str) -> Result<Input, String> {
    let mut words = text.split_whitespace().map(|word| word.parse::<i64>());
    let mut next = || match words.next() {
        Some(Ok(number)) => Ok(number),
        _ => Err("the input is broken off or holds something else than integers".to_string()),
    };
    let n = next()? as usize;
    let k = next()? as usize;
    let mut costs = [0; POWERS];
    for cost in costs.iter_mut() {
        *cost = next()?;
    }
    let mut worth = vec![vec![0; n]; n];
    for cell in worth.iter_mut().flatten() {
        *cell = next()?;
    }
    Ok(Input { n, k, costs, worth })
}

pub fn read_output(input: &Input, text: &str) -> Result<Output, String> {
    let mut words = text.split_whitespace();
    let mut next = |name: &str, low: i64, high: i64| -> Result<i64, String> {
        let word = words.next().ok_or(format!("the output ends before {name}"))?;
        let number: i64 = word.parse().map_err(|_| format!("{name} is no integer: {word:?}"))?;
        if number < low || number > high {
            return Err(format!("{name} = {number} is not between {low} and {high}"));
        }
        Ok(number)
    };
    let last = input.n as i64 - 1;
    let count = next("L", 0, input.k as i64)?;
    let mut lanterns = Vec::new();
    for t in 0..count {
        let row = next(&format!("r_{t}"), 0, last)? as usize;
        let column = next(&format!("c_{t}"), 0, last)? as usize;
        let power = next(&format!("p_{t}"), 1, POWERS as i64)? as usize;
        if input.worth[row][column] < 0 {
            return Err(format!("lantern {t} stands in the wall at ({row}, {column})"));
        }
        lanterns.push(Lantern { row, column, power });
    }
    match words.next() {
        Some(word) => Err(format!("there is more after the last lantern: {word:?}")),
        None => Ok(Output { lanterns }),
    }
}

/// Cells that have light. Walls have none.
pub fn lit(input: &Input, output: &Output) -> Vec<Vec<bool>> {
    let n = input.n;
    let mut light = vec![vec![false; n]; n];
    for lantern in &output.lanterns {
        let mut steps = vec![vec![usize::MAX; n]; n];
        let mut queue = VecDeque::from([(lantern.row, lantern.column)]);
        steps[lantern.row][lantern.column] = 0;
        while let Some((i, j)) = queue.pop_front() {
            light[i][j] = true;
            if steps[i][j] == lantern.power {
                continue;
            }
            for (di, dj) in [(0, 1), (1, 0), (0, !0), (!0, 0)] {
                let (a, b) = (i.wrapping_add(di), j.wrapping_add(dj));
                if a < n && b < n && input.worth[a][b] >= 0 && steps[a][b] == usize::MAX {
                    steps[a][b] = steps[i][j] + 1;
                    queue.push_back((a, b));
                }
            }
        }
    }
    light
}

pub fn score(input: &Input, output: &Output) -> i64 {
    let light = lit(input, output);
    let mut sum = 0;
    for i in 0..input.n {
        for j in 0..input.n {
            if light[i][j] {
                sum += input.worth[i][j];
            }
        }
    }
    let paid: i64 = output.lanterns.iter().map(|each| input.costs[each.power - 1]).sum();
    (sum - paid).max(0)
}

/// The garden as SVG: flowers by colour, walls dark, lit cells framed, lanterns by their power.
pub fn draw(input: &Input, output: &Output) -> String {
    let size = 16;
    let light = lit(input, output);
    let side = size * input.n;
    let mut svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" width=\"{side}\" height=\"{side}\">\n");
    for i in 0..input.n {
        for j in 0..input.n {
            let worth = input.worth[i][j];
            let colour = if worth < 0 {
                "#30343f".to_string()
            } else {
                let pale = 255 - worth * 2;
                let blue = if light[i][j] { pale * 6 / 10 } else { pale };
                format!("rgb({},{},{})", if light[i][j] { 255 } else { pale }, 235 - worth / 2, blue)
            };
            let (x, y) = (j * size, i * size);
            let _ = writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" fill=\"{colour}\"><title>({i}, {j}) = {worth}</title></rect>");
        }
    }
    for each in &output.lanterns {
        let (x, y) = (each.column * size + size / 2, each.row * size + size / 2);
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"7\" fill=\"#b3261e\"/><text x=\"{x}\" y=\"{}\" font-size=\"10\" fill=\"white\" text-anchor=\"middle\">{}</text>", y + 4, each.power);
    }
    svg + "</svg>\n"
}
