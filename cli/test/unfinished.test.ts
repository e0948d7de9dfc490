import { expect, test } from 'vitest';
import { isUnfinished } from '../src/code/unfinished.js';

test.each([
  ['python', 'x = 1'],
  ['python', 'print("(")  # ('],
  ['python', "it = 'a:'"],
  ['python', 'def f(): return 1'],
  ['python', 'for i in range(3):\n  print(i)\n'],
  ['python', 'text = """\n(\n"""'],
  ['python', 'x = {\n  1: 2,\n}'],
  ['javascript', 'const f = () => ({ a: [1] });'],
  ['javascript', '`${a}\n`'],
  ['go', 'func f() {\n}'],
  ['bash', 'echo "#"'],
  ['bash', 'for i in 1 2; do echo $i; done'],
  ['bash', 'echo ${#a} ('],
] as const)('%s: %j can be run', (language, code) => {
  expect(isUnfinished(code, language)).toBe(false);
});

test.each([
  ['python', 'x = (1,'],
  ['python', 'if x:  # when'],
  ['python', 'for i in range(3):\n  print(i)'],
  ['python', '@decorated'],
  ['python', 'text = """\n('],
  ['python', 'x = 1 + \\'],
  ['javascript', 'function f() {'],
  ['typescript', '`a'],
  ['go', 'func f() {'],
  ['bash', 'for i in 1 2; do'],
  ['bash', 'if true; then\necho a'],
  ['bash', 'echo "a'],
] as const)('%s: more belongs to %j', (language, code) => {
  expect(isUnfinished(code, language)).toBe(true);
});
