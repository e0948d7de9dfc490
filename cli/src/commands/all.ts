import type { Command } from '../command.js';
import { approve } from './approve.js';
import { auditVerify } from './audit.js';
import { copy } from './copy.js';
import { completion } from './completion.js';
import { doctor } from './doctor.js';
import { events } from './events.js';
import { exec } from './exec.js';
import { login, logout } from './login.js';
import { portForward, sandboxPorts } from './port.js';
import { terminalRecordings, terminalReplay } from './recording.js';
import { projectShow } from './project.js';
import { run } from './run.js';
import { sandboxCreate } from './sandbox-create.js';
import { sandboxEgress } from './sandbox-egress.js';
import { sandboxDelete, sandboxExtend, sandboxGet, sandboxList, sandboxMount, sandboxStart, sandboxStop } from './sandbox.js';
import { sandboxLs } from './sandbox-ls.js';
import { sandboxLogs, sandboxStats } from './sandbox-figures.js';
import { terminalAttach, terminalList } from './terminal.js';
import { terminalKey, terminalRecording } from './terminal-sealed.js';
import { templateList } from './template.js';
import { webhookCreate, webhookDelete, webhookDeliveries, webhookList, webhookReplay } from './webhook.js';
import { webhookListen } from './webhook-listen.js';

/** In the order of the help. */
export const commands: readonly Command[] = [
  login,
  logout,
  run,
  exec,
  { ...exec, name: 'sandbox exec' },
  copy,
  sandboxCreate,
  sandboxList,
  sandboxGet,
  sandboxMount,
  sandboxExtend,
  sandboxEgress,
  sandboxPorts,
  sandboxStop,
  sandboxStart,
  sandboxDelete,
  sandboxLs,
  sandboxLogs,
  sandboxStats,
  portForward,
  terminalList,
  terminalAttach,
  terminalRecordings,
  terminalReplay,
  terminalRecording,
  terminalKey,
  templateList,
  approve,
  events,
  webhookCreate,
  webhookList,
  webhookDelete,
  webhookDeliveries,
  webhookReplay,
  webhookListen,
  { ...webhookListen, name: 'listen' },
  projectShow,
  auditVerify,
  doctor,
  completion,
];
