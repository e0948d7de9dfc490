// Made by scripts/generate.mjs; do not edit.

/** The connection of a sandbox's agent. */
export interface AgentData {
  /** The sandbox that the agent serves. */
  sandboxId: string;
  /** Which version arrived. */
  agentVersion?: string;
  /** Why it was lost. */
  reason?: string;
}

/** A program in a sandbox asks a person whether it may do something, or has its answer. */
export interface PermissionData {
  /** The sandbox that asks. */
  sandboxId: string;
  /** The terminal that asks. */
  terminalId?: string;
  /** Names the question. */
  requestId: string;
  /** What the program wants to use. */
  tool?: string;
  /** What it wants to do, in one line, without control characters. */
  summary?: string;
  /** Which program asks, by its own account. */
  source?: string;
  /** What it wants to use that on: a command, a path, an address; cut to 256 characters. */
  resource?: string;
  /** The folder it would do it in; cut to 256 characters. */
  cwd?: string;
  /** Of a question: after this the answer is no. Of a grant: until then the same input needs no question. */
  expiresAt?: string;
  /** The answer. */
  decision?: 'allowed' | 'denied';
  /** Who answered; absent when nobody did. */
  decidedBy?: string;
  /** Why it was denied. */
  reason?: string;
}

/** A port of a sandbox on which a program listens. */
export interface PortData {
  /** The sandbox that the port is in. */
  sandboxId: string;
  /** Its number inside the sandbox. */
  port: number;
  /** The name of the program that listens; absent when it cannot be told. */
  program?: string;
}

/** The sandbox as it is after the change. */
export interface SandboxData {
  /** The sandbox. */
  id: string;
  /** The name its maker gave it. */
  name?: string;
  /** The state it is in now. */
  state: 'starting' | 'running' | 'paused' | 'stopping' | 'stopped' | 'error' | 'deleted';
  /** Why it is in error. */
  stateReason?: string;
  /** Who ended it. */
  stopReason?: 'user' | 'expired';
  /** The template it was made from. */
  template: string;
  /** The labels its maker gave it. */
  labels: Record<string, string>;
  /** When it was made. */
  createdAt: string;
  /** When its time is over. */
  expiresAt: string;
}

/** A terminal in a sandbox. */
export interface TerminalData {
  /** The sandbox that it is in. */
  sandboxId: string;
  /** The terminal. */
  terminalId: string;
  /** Who opened it: a key's id or a WebID. */
  startedBy?: string;
  /** How its program ended; minus n when signal n ended it. */
  exitCode?: number;
  /** Why it ended: exited, closed, idle, time over, lost. */
  reason?: string;
  /** How long it lived, in milliseconds. */
  durationMs?: number;
}

/** The endpoint that is tried. */
export interface WebhookTestData {
  /** The endpoint. */
  endpointId: string;
  /** Where it is. */
  url?: string;
}

/** A webhook endpoint that is sent to no more. */
export interface WebhookData {
  /** The endpoint. */
  endpointId: string;
  /** Where it was. */
  url: string;
  /** Why it was disabled: gone (it answered 410) or failing (for days). */
  reason?: string;
}

/** The envelope of every event. Fields are only ever added: ignore those you do not know. */
export interface EventEnvelope {
  /** Names this event for ever; a repeated delivery has the same id. */
  id: string;
  /** What happened; there is one schema for each type. */
  type: string;
  /** When it happened. */
  timestamp: string;
  /** The project it belongs to. */
  project: string;
  /** What it is about: a sandbox's id, mostly. */
  subject: string;
  /** Counts a subject's events from 1 without a hole. */
  sequence: number;
}

/** What each type of event carries. */
export interface EventDataByType {
  /** A sandbox's agent connected. */
  'agent.connected': AgentData & { agentVersion: NonNullable<AgentData['agentVersion']> };
  /** A sandbox's agent is no longer connected: its connection ended, or its sandbox did. */
  'agent.disconnected': AgentData & { reason: NonNullable<AgentData['reason']> };
  /** A program in a sandbox asks whether it may do something. */
  'permission.requested': PermissionData & { tool: NonNullable<PermissionData['tool']>; summary: NonNullable<PermissionData['summary']>; expiresAt: NonNullable<PermissionData['expiresAt']> };
  /** Such a question has its answer. */
  'permission.resolved': PermissionData & { decision: NonNullable<PermissionData['decision']> };
  /** A sandbox was made; it starts next. */
  'sandbox.created': SandboxData & { state: 'starting' };
  /** A sandbox is gone. */
  'sandbox.deleted': SandboxData & { state: 'deleted' };
  /** Something is wrong with a sandbox. */
  'sandbox.error': SandboxData & { state: 'error'; stateReason: NonNullable<SandboxData['stateReason']> };
  /** A sandbox's time is over; it is being taken down. */
  'sandbox.expired': SandboxData & { state: 'stopping' };
  /** A sandbox's time is over soon: in five minutes, or half of its life if that is shorter. */
  'sandbox.expiring': SandboxData & { state: 'starting' | 'running' | 'paused' | 'stopped' | 'error' };
  /** A sandbox was paused: its processes are frozen where they are. */
  'sandbox.paused': SandboxData & { state: 'paused' };
  /** Nobody in a sandbox listens on a port any more. */
  'sandbox.port-closed': PortData;
  /** A program in a sandbox began to listen on a port. */
  'sandbox.port-opened': PortData;
  /** A paused sandbox goes on. */
  'sandbox.resumed': SandboxData & { state: 'running' };
  /** A sandbox runs: its agent is connected. */
  'sandbox.running': SandboxData & { state: 'running' };
  /** A sandbox starts. */
  'sandbox.starting': SandboxData & { state: 'starting' };
  /** A sandbox was stopped. */
  'sandbox.stopped': SandboxData & { state: 'stopped'; stopReason: NonNullable<SandboxData['stopReason']> };
  /** A terminal is gone. */
  'terminal.ended': TerminalData & { reason: NonNullable<TerminalData['reason']> };
  /** A terminal was opened. */
  'terminal.started': TerminalData;
  /** A webhook endpoint is sent to no more. */
  'webhook.disabled': WebhookData;
  /** Somebody tries whether an endpoint receives; only that endpoint gets it. */
  'webhook.test': WebhookTestData;
}

export type EventType = keyof EventDataByType;

/** An event as the stream and webhooks carry it. */
export type BivouacEvent = {
  [Type in EventType]: EventEnvelope & { type: Type; data: EventDataByType[Type] };
}[EventType];
