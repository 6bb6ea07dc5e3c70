use std::io::Write;
use std::{env, fs, process};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let mut folder = "in".to_string();
    let mut seeds = None;
    let mut at = 0;
    while at < arguments.len() {
        if arguments[at] == "--dir" && at + 1 < arguments.len() {
            folder = arguments[at + 1].clone();
            at += 1;
        } else {
            seeds = Some(arguments[at].clone());
        }
        at += 1;
    }
    let seeds = seeds.unwrap_or_else(|| fail("Usage: gen SEEDS_FILE [--dir DIR]"));
    let text = fs::read_to_string(&seeds).unwrap_or_else(|error| fail(&format!("{seeds}: {error}")));
    fs::create_dir_all(&folder).unwrap_or_else(|error| fail(&format!("{folder}: {error}")));
    for (number, line) in text.split_whitespace().enumerate() {
        let seed = line.parse().unwrap_or_else(|_| fail(&format!("{line:?} is no seed")));
        let path = format!("{folder}/{number:04}.txt");
        let mut file = fs::File::create(&path).unwrap_or_else(|error| fail(&format!("{path}: {error}")));
        let input = tools::write_input(&tools::generate(seed));
        file.write_all(input.as_bytes()).unwrap_or_else(|error| fail(&format!("{path}: {error}")));
    }
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    process::exit(1)
}
