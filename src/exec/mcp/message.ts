/** The largest message of a server that is read, in bytes: it is held in memory as a whole. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
