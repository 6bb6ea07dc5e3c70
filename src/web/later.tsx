/** A part of the page that is loaded when it is first shown, so that the list of runs is there at once. */
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';

type Load<Props> = () => Promise<ComponentType<Props>>;

/** `isPart`: it stands within a screen, and leaves nothing there until it has come. */
export function lazyComponent<Props extends object>(
  load: Load<Props>,
  { isPart = false } = {},
): ComponentType<Props> {
  const loaded = signal<{ readonly Part: ComponentType<Props> } | null>(null);
  const problem = signal('');
  return (props) => {
    useEffect(() => {
      if (loaded.value) return;
      load().then(
        (Part) => {
          loaded.value = { Part };
        },
        () => {
          problem.value = 'This part of the page could not be loaded. Load the page again.';
        },
      );
    }, []);
    const { Part } = loaded.value ?? {};
    if (Part) return <Part {...props} />;
    return isPart ? (
      <p class="bad">{problem.value}</p>
    ) : (
      <main class="empty" aria-busy={problem.value === ''}>
        {problem.value}
      </main>
    );
  };
}
