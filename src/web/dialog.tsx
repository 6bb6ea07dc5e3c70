/** A box over the page, which Escape closes. */
import { useEffect, useRef } from 'preact/hooks';

type DialogProps = {
  readonly label: string;
  readonly onClose: () => void;
  /** As large as what is in it. */
  readonly isSmall?: boolean;
  readonly children: preact.ComponentChildren;
};

export function Dialog({ label, onClose, isSmall = false, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  return (
    <dialog ref={box} class={isSmall ? 'small' : ''} aria-label={label} onClose={onClose}>
      {children}
    </dialog>
  );
}
