/** A tree in one line for people: the normal form that a verdict shows. It is cut where it is long. */
import { childrenOf, type Tree } from './tree.ts';

const longest = 160;

export function display(tree: Tree): string {
  const text = formatTree(tree);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

const constants = { pi: 'π', e: 'e', i: 'i', infinity: '∞' } as const;
const joints = { union: ' ∪ ', intersection: ' ∩ ', difference: ' \\ ' } as const;

function formatTree(tree: Tree): string {
  const parts = () => childrenOf(tree).map(formatTree);
  switch (tree.kind) {
    case 'number':
      return tree.value.under === 1n ? `${tree.value.over}` : `${tree.value.over}/${tree.value.under}`;
    case 'constant':
      return constants[tree.name];
    case 'symbol':
      return tree.name.replaceAll(/["\ue000]/g, '');
    case 'sum':
      return `(${parts().join(' + ').replaceAll('+ -', '- ')})`;
    case 'product':
      return parts().join('·');
    case 'power':
      return `${parts().join('^')}`;
    case 'call':
    case 'big':
      return `${tree.kind === 'call' ? tree.name : tree.operator}(${parts().join(', ').replaceAll('\ue000', '')})`;
    case 'quantity':
      return `${formatTree(tree.value)} ${tree.unit.name}`;
    case 'percent':
      return `${formatTree(tree.value)}%`;
    case 'residue':
      return `${formatTree(tree.value)} mod ${formatTree(tree.modulus)}`;
    case 'based':
      return `${tree.digits}_${tree.base}`;
    case 'tuple':
      return `(${parts().join(', ')})`;
    case 'list':
      return parts().join(tree.joiner === 'or' ? ' or ' : ', ');
    case 'set':
      return tree.items.length === 0 ? '∅' : `{${parts().join(', ')}}`;
    case 'interval':
      return `${tree.isLowOpen ? '(' : '['}${parts().join(', ')}${tree.isHighOpen ? ')' : ']'}`;
    case 'domain':
      return tree.name;
    case 'combination':
      return parts().join(joints[tree.operator]);
    case 'matrix':
      return `[${tree.rows.map((row) => row.map(formatTree).join(', ')).join('; ')}]`;
    case 'relation':
      return parts()
        .map((part, at) => (at === 0 ? part : `${tree.operators[at - 1]} ${part}`))
        .join(' ');
    case 'ratio':
      return parts().join(':');
    case 'choice':
      return `(${tree.letter})`;
    case 'time':
      return clock(tree.seconds);
    case 'date':
      return [tree.year, tree.month, tree.day].filter((part) => part !== null).join('-');
    case 'text':
      return `“${tree.text}”`;
  }
}

function clock(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const rest = seconds % 60 === 0 ? '' : `:${two(seconds % 60)}`;
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}${rest}`;
}
