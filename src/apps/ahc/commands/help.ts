/** What stands below the options of a command in its `--help`. */
export const help = {
  batch: `The file is described in docs/ahc.md; examples/batches/sizes.yaml is one.

Examples:
  polya ahc batch sizes.yaml --dry-run
  polya ahc batch sizes.yaml --budget 20 --out results
  polya ahc batch --resume last`,
  config: `What is not said by an option is looked for in the environment (AHC_AGENT_LLM_MODEL for llm.model), then in the
workspace's ahc_config.yaml, ~/.ahc_agent/config.yaml, polya.yaml (section ahc), polya's own config.yaml below
$XDG_CONFIG_HOME (section ahc); else the built-in value holds. A value may be '\${NAME}': that variable, looked up
when it is used.

Examples: polya ahc config llm.model openai/gpt-5
          polya ahc config llm.api_key '\${OPENAI_API_KEY}'
          polya ahc config evolution.temperature 0.5
          polya ahc config contest`,
  database: `What is known comes with Polya; what is not known is left empty. \`polya ahc config past_contest_db.path PLACE\` adds
entries of yours, which go before it: a folder of *.json, or a SQLite file (their form: docs/ahc.md).

Examples: polya ahc database search 焼きなまし --tag geometry
          polya ahc database search --algorithm beam --keyword "noisy"`,
  docker: `The image is built from the workspace's Dockerfile, on docker.image, and named after the folder; the workspace lies at
docker.mount_path in it. Any engine that answers will do: Docker, or podman (DOCKER_HOST names another).

Examples: polya ahc docker build
          polya ahc docker run
          polya ahc docker run -- g++ -O2 -std=c++20 -o main main.cpp
          polya ahc docker cleanup --dry-run`,
  'docker run': `You are yourself in it, so what is made there is yours, and its exit status is that of the command. It has no network
unless you ask for one, and is gone afterwards; the workspace stays.`,
  knowledge: `What is known comes from the sessions of this workspace and of those beside it (knowledge.json in each session).
\`polya ahc tell\` sends what fits a session as a hint.

Examples: polya ahc knowledge list
          polya ahc knowledge search swap neighbour
          polya ahc knowledge show night_20261121T170000/gen03_id02
          polya ahc knowledge show night_20261121T170000/change`,
  library: `The library comes with Polya; \`polya ahc config algorithm_library.path FOLDER\` adds a folder of yours, in which
NAME.hpp and NAME.meta.json make an entry. What is there under a name of the library goes before it.

Examples: polya ahc library search beam
          polya ahc library show simulated_annealing
          polya ahc library show union_find --code > union_find.hpp`,
  solve: `It checks everything, tells what it may cost, starts a process of its own and returns; the process survives this terminal.

Examples:
  polya ahc solve --model openai/gpt-5 --budget 5
  polya ahc solve --from main.cpp --time-limit 600
  polya ahc solve --session-id night --max-generations 60
  polya ahc solve --interactive --model openai/gpt-5 --budget 5
  polya ahc solve --interactive --session-id night`,
  tell: `It is a question, which is answered and changes nothing; a range for a parameter; a reference to a past contest or an
algorithm; or a hint. A model finds out which; it is a hint where it does not say.

Examples:
  polya ahc tell "what is the weakness of the best solution?"
  polya ahc tell night "try START_TEMP from 10 to 500"
  polya ahc tell "could the beam search of ahc015 help?" --no-wait`,
  test: `It ends with 0 where every case is AC, else with 1.

Examples:
  polya ahc test --cases 0-99 --group N
  polya ahc test better.cpp --vs last`,
  tune: `Which constants: those of --parameter; else those that comments mark, \`// tune: 10..1000 log\`,
\`// tune: int 1..50\`; else named ones, at most eight. Sizes, indices, tables,
bits, seeds and clocks are left alone. What is found is proved on cases that the search did not
see; where it is no more than noise, nothing is written.

Examples:
  polya ahc tune main.cpp --cases 0-49
  polya ahc tune main.cpp --parameter START_TEMPERATURE=10..1000:log --evaluations 300
  polya runs resume last        a search that was broken off goes on`,
  'database search': `All that is asked for must hold; every option may be repeated.`,
  init: `Running it again repairs what is missing and changes nothing else.
Examples:
  polya ahc init ahc030
  polya ahc init polya001 --template frame.cpp
  polya ahc init ahc030 --from page.html --from tools.zip`,
};
