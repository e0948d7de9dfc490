import type { Permission, PermissionAnswer, PermissionService } from '../permissions/permission-service.js';

/** How a question was settled, wherever the answer was given. */
export interface PermissionResolution {
  requestId: string;
  granted: boolean;
  /** Absent when nobody answered. */
  decidedBy?: string;
  reason?: string;
  /** Until then the same question needs no answer. */
  expiresAt?: string;
}

/** A program in the terminal asks whether it may do something. Its texts hold no control characters. */
export class PermissionRequest {
  readonly requestId: string;
  /** Which program asks, by its own account. */
  readonly source: string;
  /** What it wants to do, with what, why and where. */
  readonly action: string;
  readonly resource: string;
  readonly description: string;
  readonly cwd: string;
  /** The beginning of its tool's input, which has `inputBytes` in all. */
  readonly input: string;
  readonly inputBytes: number;
  /** After this the answer is no. */
  readonly expiresAt: string;

  /** @internal */
  constructor(
    message: Record<string, unknown>,
    private readonly permissions: PermissionService,
  ) {
    const text = (field: string): string => {
      const value = message[field];
      return typeof value === 'string' ? value : '';
    };
    this.requestId = text('requestId');
    this.source = text('source');
    this.action = text('action');
    this.resource = text('resource');
    this.description = text('description');
    this.cwd = text('cwd');
    this.input = text('input');
    this.inputBytes = Number(message.inputBytes ?? 0);
    this.expiresAt = text('expiresAt');
  }

  /** Says yes or no. */
  answer(answer: PermissionAnswer | boolean): Promise<Permission> {
    return this.permissions.answer(this.requestId, typeof answer === 'boolean' ? { granted: answer } : answer);
  }
}
