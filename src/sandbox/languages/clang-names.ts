/** The names under which Debian installs clang++: one a version, the newest first. */
const [newest, oldest] = [30, 16];

/** Older ones do not get through the C++20 of the library that they find. */
export const oldestClang = oldest;
export const clangNames: readonly string[] = Array.from(
  { length: newest - oldest + 1 },
  (_, index) => `clang++-${newest - index}`,
);
