//! `tester COMMAND [ARGUMENT ...] < INPUT > OUTPUT`: starts the program, talks to it, writes what it said to OUTPUT and
//! the score to standard error.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::{env, io, process};

/// Of a line, in bytes: one that never ends must not fill the memory, nor the judge's message.
const LONGEST: usize = 200;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments.is_empty() {
        eprintln!("Usage: tester COMMAND [ARGUMENT ...] < INPUT > OUTPUT");
        process::exit(1);
    }
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).unwrap_or_else(|error| fail(&error.to_string()));
    let input = tools::read_input(&text).unwrap_or_else(|error| fail(&error));
    let mut child = Command::new(&arguments[0])
        .args(&arguments[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| fail(&format!("{}: {error}", arguments[0])));
    let told = talk(&input, &mut child);
    drop(child.stdin.take());
    if told.is_err() {
        // It may wait for an answer that never comes.
        let _ = child.kill();
    }
    let status = child.wait().unwrap_or_else(|error| fail(&error.to_string()));
    match told {
        Ok(_) if !status.success() => fail("the program did not end well"),
        Ok(score) => eprintln!("Score = {score}"),
        Err(message) => {
            eprintln!("wrong answer: {message}");
            eprintln!("Score = 0");
        }
    }
}

fn talk(input: &tools::Input, child: &mut Child) -> Result<i64, String> {
    let mut to = child.stdin.take().ok_or("no pipe to the program")?;
    let mut from = BufReader::new(child.stdout.take().ok_or("no pipe from the program")?);
    let mut field = tools::Field::new(input);
    // A program that is gone shows when it is listened to.
    let _ = writeln!(to, "{} {}", input.n, input.springs.len()).and_then(|()| to.flush());
    loop {
        let mut line = String::new();
        let mut start = from.by_ref().take(LONGEST as u64);
        let length = start.read_line(&mut line).map_err(|error| error.to_string())?;
        if length == 0 {
            return Err("the output ends without \"!\"".to_string());
        }
        if length == LONGEST && !line.ends_with('\n') {
            return Err(format!("a line has more than {LONGEST} bytes"));
        }
        print!("{line}");
        match field.act(tools::read_act(line.trim_end(), input.n)?)? {
            None => return Ok(field.score()),
            Some(answer) => {
                let _ = writeln!(to, "{answer}").and_then(|()| to.flush());
            }
        }
    }
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    process::exit(1)
}
