//! Parcel vans: reading inputs and outputs, generating inputs, counting the cost, drawing the routes.

use std::fmt::Write;

pub const SIDE: i64 = 1000;

#[derive(Clone, Copy)]
pub struct Stop {
    pub x: i64,
    pub y: i64,
    pub weight: i64,
}

pub struct Input {
    pub vans: usize,
    pub capacity: i64,
    pub depot: (i64, i64),
    pub stops: Vec<Stop>,
}

pub struct Output {
    /// The stops of each van, in order, counted from 0.
    pub routes: Vec<Vec<usize>>,
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
    let n = random.between(40, 120);
    let vans = random.between(3, 8) as usize;
    let depot = (random.between(200, 800), random.between(200, 800));
    let towns: Vec<(i64, i64, i64)> = (0..random.between(0, 6))
        .map(|_| (random.between(0, SIDE), random.between(0, SIDE), random.between(30, 120)))
        .collect();
    let mut stops = Vec::new();
    for _ in 0..n {
        let (x, y) = if towns.is_empty() || random.between(0, 2) == 0 {
            (random.between(0, SIDE), random.between(0, SIDE))
        } else {
            let (x, y, reach) = towns[random.between(0, towns.len() as i64 - 1) as usize];
            (x + random.between(-reach, reach), y + random.between(-reach, reach))
        };
        let weight = random.between(1, 9);
        stops.push(Stop { x: x.clamp(0, SIDE), y: y.clamp(0, SIDE), weight });
    }
    let total: i64 = stops.iter().map(|stop| stop.weight).sum();
    let capacity = (total + vans as i64 - 1) / vans as i64 + 9;
    Input { vans, capacity, depot, stops }
}

pub fn write_input(input: &Input) -> String {
    let mut text = format!("{} {} {}\n", input.stops.len(), input.vans, input.capacity);
    let _ = writeln!(text, "{} {}", input.depot.0, input.depot.1);
    for stop in &input.stops {
        let _ = writeln!(text, "{} {} {}", stop.x, stop.y, stop.weight);
    }
    text
}

pub fn read_input(text: &str) -> Result<Input, String> {
    let mut words = text.split_whitespace().map(|word| word.parse::<i64>());
    let mut next = || match words.next() {
        Some(Ok(number)) => Ok(number),
        _ => Err("the input is broken off or holds something else than integers".to_string()),
    };
    let n = next()?;
    let vans = next()? as usize;
    let capacity = next()?;
    let depot = (next()?, next()?);
    let mut stops = Vec::new();
    for _ in 0..n {
        stops.push(Stop { x: next()?, y: next()?, weight: next()? });
    }
    Ok(Input { vans, capacity, depot, stops })
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
    let n = input.stops.len();
    let mut is_served = vec![false; n];
    let mut routes = Vec::new();
    for van in 1..=input.vans {
        let count = next(&format!("k_{van}"), 0, n as i64)?;
        let mut route = Vec::new();
        let mut load = 0;
        for place in 1..=count {
            let stop = next(&format!("stop {place} of van {van}"), 1, n as i64)? as usize - 1;
            if is_served[stop] {
                return Err(format!("stop {} is served twice", stop + 1));
            }
            is_served[stop] = true;
            load += input.stops[stop].weight;
            route.push(stop);
        }
        if load > input.capacity {
            return Err(format!("van {van} carries {load}, more than {}", input.capacity));
        }
        routes.push(route);
    }
    if let Some(word) = words.next() {
        return Err(format!("there is more after the last van: {word:?}"));
    }
    match is_served.iter().position(|&each| !each) {
        Some(stop) => Err(format!("stop {} is not served", stop + 1)),
        None => Ok(Output { routes }),
    }
}

fn distance(a: (i64, i64), b: (i64, i64)) -> i64 {
    let (x, y) = (a.0 - b.0, a.1 - b.1);
    let square = x * x + y * y;
    let mut root = (square as f64).sqrt() as i64;
    while root * root > square {
        root -= 1;
    }
    while (root + 1) * (root + 1) <= square {
        root += 1;
    }
    root
}

pub fn length(input: &Input, route: &[usize]) -> i64 {
    let mut at = input.depot;
    let mut sum = 0;
    for &stop in route {
        let next = (input.stops[stop].x, input.stops[stop].y);
        sum += distance(at, next);
        at = next;
    }
    sum + distance(at, input.depot)
}

pub fn score(input: &Input, output: &Output) -> i64 {
    let lengths: Vec<i64> = output.routes.iter().map(|route| length(input, route)).collect();
    let longest = lengths.iter().copied().max().unwrap_or(0);
    lengths.iter().sum::<i64>() + 3 * longest
}

const COLOURS: [&str; 8] =
    ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2"];

/// The map as SVG: a colour for each van, the size of a stop by its weight.
pub fn draw(input: &Input, output: &Output) -> String {
    let mut svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-20 -20 1040 1040\" width=\"640\" height=\"640\">\n<rect x=\"-20\" y=\"-20\" width=\"1040\" height=\"1040\" fill=\"#f7f7f4\"/>\n".to_string();
    let (x, y) = input.depot;
    for (van, route) in output.routes.iter().enumerate() {
        let mut points = vec![format!("{x},{y}")];
        points.extend(route.iter().map(|&stop| format!("{},{}", input.stops[stop].x, input.stops[stop].y)));
        points.push(format!("{x},{y}"));
        let colour = COLOURS[van % COLOURS.len()];
        let _ = writeln!(svg, "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"4\"><title>van {}: {}</title></polyline>", points.join(" "), van + 1, length(input, route));
    }
    for (number, stop) in input.stops.iter().enumerate() {
        let _ = writeln!(svg, "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"#333\"><title>stop {}: {}</title></circle>", stop.x, stop.y, 4 + stop.weight, number + 1, stop.weight);
    }
    let _ = writeln!(svg, "<rect x=\"{}\" y=\"{}\" width=\"24\" height=\"24\" fill=\"#000\"/>", x - 12, y - 12);
    svg + "</svg>\n"
}
