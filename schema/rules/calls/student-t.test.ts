import { expect, it } from 'vitest';
import { studentT } from './student-t.ts';

it.each([
  [9, 2.2621571628],
  [9.5, 2.2441374615],
  [10, 2.228138852],
  [17.25, 2.1074887374],
  [30, 2.0422724563],
  [120, 1.9799304051],
  [199, 1.9719565443],
  [500, 1.9647198375],
])("Student's t with %d degrees of freedom is %d", (degrees, quantile) => {
  expect(studentT(degrees)).toBeCloseTo(quantile, 9);
});
