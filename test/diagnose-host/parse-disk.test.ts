import { expect, test } from 'vitest';
import { mergeMounts, parseDisks, parseInodes, parseMounts } from '../../src/diagnose/host/parse-disk.js';

/** Ubuntu with snaps and containers. */
const UBUNTU = `Filesystem     Type     1024-blocks     Used Available Capacity Mounted on
tmpfs          tmpfs        1630964     2368   1628596       1% /run
/dev/sda2      ext4       102626232 95431204   1938764      99% /
/dev/loop0     squashfs       65536    65536         0     100% /snap/core20/2264
efivarfs       efivarfs         192      118        70      63% /sys/firmware/efi/efivars
overlay        overlay    102626232 95431204   1938764      99% /var/lib/docker/overlay2/0c1d/merged
/dev/sdb1      xfs       2147483648 10485760 2136997888     1% /srv/backup of may
systemd-1      autofs             -        -         -       - /proc/sys/fs/binfmt_misc
`;

/** CentOS 7: logical volumes have long names; without -P df breaks their lines. */
const CENTOS = `Filesystem                                    Type     1024-blocks    Used Available Capacity Mounted on
/dev/mapper/centos_dbserver--production-root  xfs         52403200 5242880  47160320      11% /
/dev/mapper/centos_dbserver--production--archive-home
                                              xfs        104806400 99566080   5240320      95% /home
`;

test('lines without numbers, headings and noise are no file systems', () => {
  const noise =
    'df: /run/user/1000/doc: Operation not permitted\nFilesystem Type 1024-blocks Used Available Capacity Mounted on\n';
  expect(parseDisks(noise)).toEqual([]);
  expect(parseDisks('')).toEqual([]);
  expect(parseDisks('\u0000\u001b[31m 5% /'.repeat(1000))).toEqual([]);
});

test('df is read column by column from the back', () => {
  const disks = parseDisks(UBUNTU).map(({ device, type, free, percent, mount }) => [
    device,
    type,
    free,
    percent,
    mount,
  ]);
  expect(disks).toEqual([
    ['tmpfs', 'tmpfs', 1628596, 1, '/run'],
    ['/dev/sda2', 'ext4', 1938764, 99, '/'],
    ['/dev/loop0', 'squashfs', 0, 100, '/snap/core20/2264'],
    ['efivarfs', 'efivarfs', 70, 63, '/sys/firmware/efi/efivars'],
    ['overlay', 'overlay', 1938764, 99, '/var/lib/docker/overlay2/0c1d/merged'],
    ['/dev/sdb1', 'xfs', 2136997888, 1, '/srv/backup of may'],
  ]);
});

test('a long device name may stand on a line of its own', () => {
  expect(parseDisks(CENTOS).map(({ device, percent, mount }) => [device, percent, mount])).toEqual([
    ['/dev/mapper/centos_dbserver--production-root', 11, '/'],
    ['/dev/mapper/centos_dbserver--production--archive-home', 95, '/home'],
  ]);
});

test('what is mounted several times is one file system', () => {
  const merged = mergeMounts(parseDisks(UBUNTU)).map(({ first, also }) => [first.mount, also.map((one) => one.mount)]);
  expect(merged).toContainEqual(['/', ['/var/lib/docker/overlay2/0c1d/merged']]);
  expect(merged).toHaveLength(5);
});

test('a file system without a number of inodes has none to run out of', () => {
  const text = `Filesystem  Inodes  IUsed   IFree IUse% Mounted on
/dev/vda1  3276800 3276800       0  100% /
/dev/sdc         0       0       0     - /btrfs
vagrant          0       0       0    0% /vagrant
`;
  expect(parseInodes(text).map(({ mount, total, free, percent }) => [mount, total, free, percent])).toEqual([
    ['/', 3276800, 0, 100],
  ]);
});

test('mounts are read with their escapes and their state', () => {
  const text = '/dev/sda1 / ext4 ro,relatime,errors=remount-ro 0 0\n//nas/x /mnt/my\\040share cifs rw 0 0\nbroken\n';
  expect(parseMounts(text)).toEqual([
    { device: '/dev/sda1', mount: '/', type: 'ext4', readOnly: true },
    { device: '//nas/x', mount: '/mnt/my share', type: 'cifs', readOnly: false },
  ]);
});
