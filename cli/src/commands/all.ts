import type { Command } from '../command.js';
import { open, version, whoami } from './about.js';
import { approve } from './approve.js';
import { auditVerify } from './audit.js';
import { codeRepl } from './code-repl.js';
import { codeRun } from './code-run.js';
import { completion } from './completion.js';
import { contextList, contextRemove, contextUse } from './context.js';
import { copy } from './copy.js';
import { doctor } from './doctor.js';
import { events } from './events.js';
import { exec } from './exec.js';
import { keyCreate, keyList, keyRevoke } from './key.js';
import { login, logout } from './login.js';
import { mcp } from './mcp.js';
import { portForward, sandboxPorts } from './port.js';
import { projectShow } from './project.js';
import { terminalRecordings, terminalReplay } from './recording.js';
import { run } from './run.js';
import { sandboxCreate } from './sandbox-create.js';
import { sandboxEgress } from './sandbox-egress.js';
import { sandboxLogs, sandboxStats } from './sandbox-figures.js';
import { sandboxLs } from './sandbox-ls.js';
import { sandboxWait } from './sandbox-wait.js';
import { sandboxDelete, sandboxExtend, sandboxGet, sandboxList, sandboxMount, sandboxPause, sandboxResume, sandboxStart, sandboxStop } from './sandbox.js';
import { templateBuild, templateRemove } from './template-build.js';
import { templateList } from './template.js';
import { terminalKey, terminalRecording } from './terminal-sealed.js';
import { terminalAttach, terminalKill, terminalList } from './terminal.js';
import { top } from './top.js';
import { webhookListen } from './webhook-listen.js';
import { webhookCreate, webhookDelete, webhookDeliveries, webhookList, webhookReplay } from './webhook.js';
import { workspaceDelete, workspaceList } from './workspace.js';

/** Commands that belong together in the help. */
export interface Section {
  title: string;
  commands: readonly Command[];
}

export const sections: readonly Section[] = [
  { title: 'Start', commands: [login, run, exec, open, mcp] },
  {
    title: 'Sandboxes',
    commands: [sandboxCreate, sandboxList, sandboxGet, sandboxStart, sandboxStop, sandboxPause, sandboxResume, sandboxDelete, sandboxExtend, sandboxWait, sandboxEgress, sandboxLogs, sandboxStats, top],
  },
  { title: 'Code', commands: [codeRun, codeRepl] },
  { title: 'Templates', commands: [templateList, templateBuild, templateRemove] },
  { title: 'Files and ports', commands: [copy, sandboxLs, sandboxMount, sandboxPorts, portForward, workspaceList, workspaceDelete] },
  { title: 'Terminals', commands: [terminalList, terminalAttach, terminalKill, terminalRecordings, terminalReplay, terminalRecording, terminalKey] },
  { title: 'Requests, events and webhooks', commands: [approve, events, webhookCreate, webhookList, webhookDelete, webhookDeliveries, webhookReplay, webhookListen] },
  { title: 'Accounts', commands: [whoami, logout, contextList, contextUse, contextRemove, keyCreate, keyList, keyRevoke, projectShow, auditVerify] },
  { title: 'This program', commands: [doctor, version, completion] },
];

export const commands: readonly Command[] = sections.flatMap((section) => section.commands);
