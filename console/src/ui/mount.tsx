import { render, type ComponentChild } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { h } from '../dom.js';
import type { Live } from '../live.js';
import type { Setting } from '../page.js';
import { repeat, type OnLeave } from '../parts/repeat.js';

/** A page made of components; they are taken down when it is left. */
export function mounted({ onLeave }: Pick<Setting, 'onLeave'>, content: ComponentChild, names = ''): HTMLElement {
  const place = h('main', { class: names });
  render(content, place);
  onLeave(() => render(null, place));
  return place;
}

/** A part made of plain elements, inside of components. It is made once. */
export function Plain({ make, class: names }: { make: (onLeave: OnLeave) => HTMLElement; class?: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const leaving: Array<() => void> = [];
    place.current?.replaceChildren(make((act) => leaving.push(act)));
    return () => leaving.forEach((act) => act());
    // What it is made of stays the same as long as it is shown.
  }, []);
  return <div ref={place} class={names} />;
}

/** Draws again when sandboxes change: once for all that came in one frame. */
export function useLive(live: Live): void {
  const [, redraw] = useState(0);
  useEffect(() => {
    let frame = 0;
    const end = live.listen(() => {
      if (frame !== 0) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        redraw((count) => count + 1);
      });
    });
    return () => {
      end();
      cancelAnimationFrame(frame);
    };
  }, [live]);
}

/** Does something now and then, as long as the component is there. */
export function useRepeat(every: number, act: () => Promise<unknown>, deps: readonly unknown[] = []): void {
  useEffect(() => {
    let leave = (): void => undefined;
    repeat(every, (end) => (leave = end), act);
    return () => leave();
  }, deps);
}
