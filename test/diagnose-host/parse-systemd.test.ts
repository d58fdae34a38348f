import { expect, test } from 'vitest';
import {
  hasJournal,
  parseChrony,
  parseFailedUnits,
  parseJournalLine,
  parseTimedatectl,
} from '../../src/diagnose/host/parse-systemd.js';

test('units are read with and without bullets and legend', () => {
  const debian = `  UNIT                LOAD   ACTIVE SUB    DESCRIPTION
● nginx.service       loaded failed failed A high performance web server and a reverse proxy server
  var-lib\\x2ddata.mount not-found failed failed Data

LOAD   = Reflects whether the unit definition was properly loaded.
2 loaded units listed.
`;
  expect(parseFailedUnits(debian).map((unit) => unit.name)).toEqual(['nginx.service', 'var-lib\\x2ddata.mount']);
  expect(parseFailedUnits('getty@tty1.service loaded failed failed Getty on tty1\n')).toEqual([
    {
      name: 'getty@tty1.service',
      description: 'Getty on tty1',
      line: 'getty@tty1.service loaded failed failed Getty on tty1',
    },
  ]);
});

test('an option in place of a unit is no unit', () => {
  expect(parseFailedUnits('--now.service loaded failed failed x\nnginx.service loaded active running y\n')).toEqual([]);
});

test('a clock is synchronised only when somebody says so', () => {
  expect(parseTimedatectl('Timezone=UTC\nNTP=yes\nNTPSynchronized=no\n')).toEqual({
    synchronised: false,
    enabled: true,
    line: 'NTP=yes NTPSynchronized=no',
  });
  expect(parseTimedatectl('Failed to connect to bus')).toBeUndefined();
  const chrony =
    'Stratum         : 0\nSystem time     : 12.500000000 seconds slow of NTP time\nLeap status     : Not synchronised\n';
  expect(parseChrony(chrony)).toEqual({
    synchronised: false,
    enabled: true,
    offset: 12.5,
    line: 'System time : 12.500000000 seconds slow, leap status Not synchronised',
  });
});

test('a journal that is not there is not an empty one', () => {
  expect(hasJournal('-- No entries --\n', 'No journal files were found.')).toBe(false);
  expect(hasJournal('-- No entries --\n', '')).toBe(false);
  expect(hasJournal('2024-05-01T10:00:00+0000 h x[1]: y\n', 'Hint: You are currently not seeing messages')).toBe(true);
});

test('a log line gives who wrote it and what', () => {
  expect(parseJournalLine('2024-05-01T10:00:00+0000 web1 nginx[12]: bind() failed')).toEqual({
    from: 'nginx',
    message: 'bind() failed',
  });
  expect(parseJournalLine('May  1 10:00:00 web1 CRON[3]: (root) CMD (x)')).toEqual({
    from: 'CRON',
    message: '(root) CMD (x)',
  });
  expect(parseJournalLine('    at Foo.bar(Foo.java:1)')).toBeUndefined();
});
