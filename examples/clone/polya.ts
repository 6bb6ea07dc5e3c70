/** What `import … from 'polya'` means to the examples of this clone: the sources. */
export * from '../../src/index.ts';
