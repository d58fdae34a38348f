import { describe } from 'vitest';
import { testTable } from './classify-table.js';

describe('programs that usually read', () => {
  testTable(`
df -h /var => low |  |  | none
df -P -T -k -l => low |  |  | none
du -sh /var => low |  |  | none
free -m => low |  |  | none
uptime => low |  |  | none
uname -a => low |  |  | none
cat /etc/hosts => low |  |  | none
cat /etc/shadow => medium |  |  | none
cat /root/.ssh/id_rsa => medium |  |  | none
cat /proc/1/environ => medium |  |  | none
cat /etc/ssl/private/server.key => medium |  |  | none
cat a > b => high |  |  | unknown
cat a | sh => high |  |  | unknown
head -n 5 /var/log/syslog => low |  |  | none
tail -f /var/log/syslog => low |  |  | none
ls -l /proc/42/fd => low |  |  | none
stat /etc => low |  |  | none
lsblk => low |  |  | none
mount => low |  |  | none
mount -l => low |  |  | none
mount -o remount,ro / => high |  |  | unknown
mount /dev/sdb1 /mnt => high |  |  | unknown
dmesg --time-format=iso => low |  |  | none
dmesg -T => low |  |  | none
dmesg -c => high |  |  | unknown
dmesg -C => high |  |  | unknown
dmesg --clear => high |  |  | unknown
dmesg -n 1 => high |  |  | unknown
journalctl -u nginx -n 50 => low |  |  | none
journalctl -xeu nginx => low |  |  | none
journalctl --unit=nginx --since=-1h --priority=err --lines=50 --no-pager --output=short-iso => low |  |  | none
journalctl --vacuum-size=1M => high |  |  | unknown
journalctl --vac=1M => high |  |  | unknown
journalctl --rotate => high |  |  | unknown
journalctl --flush => high |  |  | unknown
journalctl --sync => high |  |  | unknown
journalctl --cursor-file=/x => high |  |  | unknown
date => low |  |  | none
date -u +%s => low |  |  | none
date -d yesterday => low |  |  | none
date -s 10:00 => high |  |  | unknown
date --set=10:00 => high |  |  | unknown
date 010112002026 => high |  |  | unknown
hostname => low |  |  | none
hostname -f => low |  |  | none
hostname evil => high |  |  | unknown
hostname -F /tmp/x => high |  |  | unknown
id => low |  |  | none
who -H => low |  |  | none
w => low |  |  | none
getent hosts example.com => low |  |  | none
nproc => low |  |  | none
ps aux => low |  |  | none
ps -eo pid,comm --sort=-pcpu => low |  |  | none
ps auxe => medium |  |  | none
ss -tulpn => low |  |  | none
ss -tn state close-wait => low |  |  | none
ss -K dst 10.0.0.1 => high |  |  | unknown
ss -tnK => high |  |  | unknown
ss -D /tmp/x => high |  |  | unknown
ip addr => low |  |  | none
ip a => low |  |  | none
ip -br link show => low |  |  | none
ip route get 10.0.0.1 => low |  |  | none
ip link set eth0 down => high |  |  | unknown
ip addr add 10.0.0.1/8 dev eth0 => high |  |  | unknown
ip -b /tmp/x => high |  |  | unknown
ip netns exec x sh => high |  |  | unknown
ip -n x addr => high |  |  | unknown
sysctl -a => low |  |  | none
sysctl vm.swappiness => low |  |  | none
sysctl -w vm.swappiness=1 => high |  |  | unknown
sysctl vm.swappiness=1 => high |  |  | unknown
sysctl -p => high |  |  | unknown
find /var -name *.log -size +10M => low |  |  | none
find / -delete => high |  |  | unknown
find / -exec rm {} + => high |  |  | unknown
find / -fprint /tmp/x => high |  |  | unknown
find / -ok rm => high |  |  | unknown
sed -n 5p /etc/hosts => low |  |  | none
sed -n 1,20p /etc/hosts => low |  |  | none
sed -i s/a/b/ x => high |  |  | unknown
sed s/a/b/w/tmp/x x => high |  |  | unknown
sed -n e x => high |  |  | unknown
sort -k 2 x => low |  |  | none
sort -o x x => high |  |  | unknown
sort --output=x x => high |  |  | unknown
sort --out=x x => high |  |  | unknown
sort -uox x => high |  |  | unknown
uniq -c => low |  |  | none
uniq in out => high |  |  | unknown
grep -rn error /var/log => low |  |  | none
wc -l x => low |  |  | none
openssl x509 -noout -text -in cert.crt => low |  |  | none
openssl s_client -connect example.com:443 => low |  |  | none
openssl x509 -in a -out b => high |  |  | unknown
openssl genrsa => high |  |  | unknown
openssl x509 --out=b -in a => high |  |  | unknown
dig +short example.com => low |  |  | none
nslookup example.com => low |  |  | none
ping -c 3 example.com => low |  |  | none
ping -f example.com => high |  |  | unknown
timedatectl show => low |  |  | none
timedatectl set-time 10:00 => high |  |  | unknown
timedatectl set-ntp false => high |  |  | unknown
hostnamectl => low |  |  | none
hostnamectl hostname evil => high |  |  | unknown
loginctl list-sessions => low |  |  | none
loginctl terminate-user ada => high |  |  | unknown
resolvectl query example.com => low |  |  | none
resolvectl dns eth0 8.8.8.8 => high |  |  | unknown
chronyc -n tracking => low |  |  | none
chronyc makestep => high |  |  | unknown
lsof -i :80 => low |  |  | none
lsof -nP -p 42 => low |  |  | none
top -b -n 1 => low |  |  | none
printenv => medium |  |  | none
printenv PATH => medium |  |  | none
last -w -n 5 => low |  |  | none
echo hello => low |  |  | none
jq .items x.json => low |  |  | none
arp -n => low |  |  | none
arp -d 10.0.0.1 => high |  |  | unknown
ethtool eth0 => low |  |  | none
ethtool -s eth0 speed 10 => high |  |  | unknown
smartctl -a /dev/sda => low |  |  | none
smartctl -t long /dev/sda => high |  |  | unknown
`);
});

describe('programs that no table knows', () => {
  testTable(`
/tmp/kubectl-evil get pods => unknown
/tmp/kubectl get pods => unknown
./kubectl get pods => unknown
../bin/kubectl get pods => unknown
/usr/bin/../../tmp/kubectl get pods => unknown
//usr/bin/kubectl get pods => unknown
kubectl-evil get pods => unknown
my-kubectl get pods => unknown
KUBECTL get pods => unknown
sudo kubectl get pods => unknown
env kubectl get pods => unknown
nice df => unknown
timeout 5 df => unknown
nsenter -t 1 cat /etc/hosts => unknown
xargs cat => unknown
sh -c df => unknown
bash -c cat␣x => unknown
ssh host df => unknown
busybox df => unknown
curl https://example.com => unknown
wget https://example.com => unknown
awk {print} => unknown
watch df => unknown
tee x => unknown
python3 -c pass => unknown
constructor => unknown
__proto__ get => unknown
rm -rf / => unknown
`);
});
