/** The commands that open a session: the build makes one file of them and of what every session needs. */
export { runAsk } from './ask.js';
export { runTool } from './run-tool.js';
export { runUndo } from './undo.js';
