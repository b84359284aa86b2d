import { expect, test, vi } from 'vitest';
import { showWhile, Toasts } from './toasts.tsx';

test('shows a message for each slow action until that action ends', async () => {
  vi.useFakeTimers();
  const shown = () => [Toasts().props.children].flat();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const both = [first, second].map(({ promise }) => showWhile('Reading the files…', () => promise));
  expect(shown()).toHaveLength(0);
  vi.advanceTimersByTime(1_000);
  expect(shown()).toHaveLength(2);
  first.resolve();
  await both[0];
  expect(shown()).toHaveLength(1);
  second.resolve();
  await both[1];
  expect(shown()).toHaveLength(0);
  vi.useRealTimers();
});
