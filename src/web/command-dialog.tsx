/** What a command does, the command, and where the page can do the same, a button for it. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { copyText, notCopied } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

export type CommandProps = {
  readonly title: string;
  readonly about: string;
  readonly command: string;
  /** Missing where only the command does it. */
  readonly act?: { readonly verb: string; readonly onAct: () => Promise<string | null> };
  readonly onClose: () => void;
};

export function CommandDialog(props: CommandProps) {
  return <CommandForm {...props}>{null}</CommandForm>;
}

/** `children`: fields by which the command changes. */
export function CommandForm({
  title,
  about,
  command,
  act,
  onClose,
  children,
}: CommandProps & { readonly children: ComponentChildren }) {
  const [text, setTold] = useState<string | null>(null);
  return (
    <Dialog label={title} onClose={onClose} isSmall>
      <section class="box">
        <h1>{title}</h1>
        <p>{about}</p>
        {children}
        <pre class="command">{command}</pre>
        <p role="status">{text}</p>
        <form
          class="box-acts"
          method="dialog"
          onSubmit={async (event) => {
            if (!act || event.submitter?.getAttribute('value') !== 'act') return;
            event.preventDefault();
            const rejection = await act.onAct();
            if (rejection === null) onClose();
            else setTold(rejection);
          }}
        >
          <button
            type="button"
            class={act ? '' : 'main'}
            onClick={async () => {
              setTold((await copyText(command)) ? 'It is in the clipboard.' : notCopied);
            }}
          >
            Copy
          </button>
          <button type="submit">Close</button>
          {act && (
            <button type="submit" class="main" value="act" autofocus={children === null}>
              {act.verb}
            </button>
          )}
        </form>
      </section>
    </Dialog>
  );
}
