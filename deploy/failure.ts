/** A step that failed, with the next step for the person who deploys. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
  readonly advice: string;

  constructor(message: string, advice: string, options?: ErrorOptions) {
    super(message, options);
    this.advice = advice;
  }
}
