/** The keys that do something now, from the table that registers them. */
import { Dialog } from './dialog.tsx';
import { keysNow } from './keys.ts';

const names: Readonly<Record<string, string>> = {
  ' ': 'Space',
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
};

export function Help({ onClose }: { readonly onClose: () => void }) {
  const keys = keysNow();
  return (
    <Dialog label="Keys" onClose={onClose} isSmall>
      <section class="box">
        <h1>Keys here</h1>
        <dl class="keys">
          {keys.map(([key, description]) => (
            <div key={key}>
              <dt>
                <kbd>{names[key] ?? key.toUpperCase()}</kbd>
              </dt>
              <dd>{description}</dd>
            </div>
          ))}
        </dl>
        <form class="box-acts" method="dialog">
          <button type="submit">Close</button>
        </form>
      </section>
    </Dialog>
  );
}
