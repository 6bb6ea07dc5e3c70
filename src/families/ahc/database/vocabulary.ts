/**
 * What tags and algorithms are called, in English and in Japanese: so that `焼きなまし` finds what is tagged
 * simulated_annealing, and a statement in either language shows what it is about. Pure.
 */

export type Concept = {
  /** As tags are written. */
  readonly tag: string;
  /** Its other names; the tag itself, with spaces, is one already. */
  readonly names: readonly string[];
};

const problems: Readonly<Record<string, string>> = {
  '3d': 'three-dimensional, 立体, 三次元',
  adjacency: 'adjacent, 隣接',
  allocation: 'allot, 割り当て',
  assignment: 'assign, 割り当て',
  automaton: 'automata, state machine, オートマトン, 状態遷移',
  block: 'blocks, ブロック',
  board: '盤面, ボード',
  breeding: 'crossbreed, 交配, 品種',
  card: 'cards, カード',
  cleaning: 'clean, 掃除, 清掃',
  clustering: 'cluster, クラスタ, 固める',
  colour: 'color, 色',
  comparison: 'balance scale, 比較, 天秤',
  connection: 'connect, 接続, つなぐ',
  container: 'containers, コンテナ',
  conveyor: 'conveyors, コンベヤ, コンベア',
  crane: 'cranes, クレーン',
  cycle: 'cyclic, 閉路, 巡回',
  delivery: 'deliver, 配達, 配送',
  digging: 'dig, excavation, 掘削, 採掘',
  estimation: 'estimate, 推定',
  farming: 'crop, 農業, 作物',
  forest: '森, 森林',
  game: 'ゲーム',
  geometry: 'geometric, 幾何',
  graph: 'vertices and edges, グラフ',
  grid: 'cell, マス目, グリッド, マス',
  hamiltonian: 'Hamiltonian cycle, Hamiltonian path, ハミルトン',
  identification: 'identify, 特定, 識別',
  interactive: 'インタラクティブ, 対話型, 対話的',
  keyboard: 'キーボード',
  lattice: '格子点, 格子',
  loop: 'loops, 環状, ループ',
  macro: 'macros, マクロ',
  management: 'business, income, 経営, 収入',
  map: '地図',
  markov_chain: 'マルコフ連鎖, マルコフ',
  maze: '迷路',
  measurement: 'measure, 測定, 計測',
  multi_agent: 'several agents, 複数エージェント, マルチエージェント',
  network: 'networks, ネットワーク',
  noise: 'noisy, ノイズ, 雑音, 誤差',
  online: 'オンライン',
  ordering: '順番, 順序',
  packing: 'pack, 詰め込み, 詰める, パッキング',
  partition: '分割, 区切る',
  path: 'paths, 経路, パス',
  placement: '配置',
  polygon: '多角形',
  polyomino: 'polyominoes, ポリオミノ',
  probability: 'probabilistic, 確率',
  puzzle: 'パズル',
  rail: 'railway, 鉄道, 線路',
  rectangle: 'rectangles, 長方形, 矩形',
  region: 'regions, 領域, 区画',
  road: 'roads, 道路',
  robot: 'robots, ロボット',
  robot_arm: 'ロボットアーム',
  rotation: 'rotate, 回転',
  routing: 'route, ルート',
  scheduling: 'schedule, スケジューリング, スケジュール, 日程',
  selection: '選択',
  shortest_path: 'shortest paths, 最短経路, 最短路',
  simulation: 'simulate, シミュレーション',
  sliding: 'slide, スライド, 滑る',
  snake: '蛇, ヘビ',
  sorting: 'sort, ソート, 整列, 並べ替え',
  spanning_tree: 'minimum spanning tree, MST, 全域木, 最小全域木',
  stack: 'stacked, 積む, スタック',
  steiner_tree: 'Steiner, シュタイナー木, シュタイナー',
  string: 'strings, 文字列',
  subset_sum: '部分和',
  swap: 'swaps, 入れ替え, 交換',
  territory: '領地, 陣地',
  tiles: 'tile, タイル',
  topology: 'topological, 位相',
  torus: 'toroidal, トーラス',
  transport: '運搬, 輸送, 運ぶ',
  tree: 'trees, 木構造, 木',
  tsp: 'travelling salesman, traveling salesman, travelling-salesman problem, 巡回セールスマン',
  wall: 'walls, 壁',
};

const algorithms: Readonly<Record<string, string>> = {
  '2_opt': '2-opt, 2opt, two-opt',
  bayesian_estimation: 'Bayes, Bayesian inference, ベイズ, ベイズ推定',
  beam_search: 'beam, ビームサーチ, ビーム',
  breadth_first_search: 'BFS, 幅優先探索',
  dijkstra: "Dijkstra's algorithm, ダイクストラ",
  dynamic_programming: 'DP, dynamic programme, 動的計画法, 動的計画',
  gaussian_process: 'Gaussian processes, ガウス過程',
  gray_code: 'グレイコード',
  greedy: 'greedy algorithm, 貪欲法, 貪欲',
  hill_climbing: 'hill climb, 山登り法, 山登り',
  information_gain: 'entropy, mutual information, エントロピー, 相互情報量, 情報量',
  local_search: 'iterated local search, 局所探索, 近傍探索',
  matching: 'マッチング',
  meet_in_the_middle: '半分全列挙',
  min_cost_flow: 'minimum cost flow, 最小費用流',
  min_cost_matching: 'minimum cost matching, Hungarian, 最小費用マッチング',
  monte_carlo: 'Monte-Carlo, モンテカルロ法, モンテカルロ',
  particle_filter: '粒子フィルタ, パーティクルフィルタ',
  playout: 'playouts, プレイアウト',
  reinforcement_learning: 'RL, 強化学習',
  rolling_horizon: 'receding horizon, ローリングホライズン',
  rule_based: 'rules, ルールベース',
  simulated_annealing: 'annealing, SA, 焼きなまし, 焼きなまし法, 焼き鈍し',
};

const concepts: readonly Concept[] = Object.entries({ ...problems, ...algorithms }).map(([tag, names]) => ({
  tag,
  names: [tag.replaceAll('_', ' '), ...names.split(', ')],
}));

const byName: ReadonlyMap<string, Concept> = new Map(
  // Where two share a name, the first has it.
  concepts.flatMap((concept) => concept.names.map((name) => [slug(name), concept] as const)).reverse(),
);

/** `Simulated Annealing` and `simulated-annealing` are `simulated_annealing`. */
export function slug(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '');
}

/** By any of its names. */
export function conceptOf(name: string): Concept | undefined {
  return byName.get(slug(name));
}

/** All that a tag, or an algorithm, is called; a tag that is not known, by itself. */
export function namesOf(name: string): readonly string[] {
  const own = name.replaceAll('_', ' ');
  return [...new Set([own, ...(conceptOf(name)?.names ?? [])])];
}
