import { describe } from 'vitest';
import { testTable } from './classify-table.js';

describe('helm', () => {
  testTable(`
helm list -A => low | list |  | all
helm -n shop list => low | list |  | none | shop
helm status web -n shop => low | status | web | one | shop
helm get values web => medium | get values | web | one
helm get manifest web -n shop => medium | get manifest | web | one | shop
helm history web => low | history | web | one
helm show values repo/chart => low | show values | repo/chart | one
helm template web ./chart => low | template | web ./chart | several
helm template web ./chart --post-renderer /tmp/x => high | template | web ./chart | several |  | --post-renderer=/tmp/x
helm lint . => low | lint | . | one
helm search repo nginx => low | search repo |  | none
helm repo list => low | repo list |  | none
helm install web ./chart -n shop => high | install | web | one | shop
helm install web ./chart --dry-run => low | install | web | one
helm upgrade --install web ./chart --dry-run=server => low | upgrade | web | one
helm upgrade web ./chart --dry-run=none => high | upgrade | web | one
helm upgrade web ./chart --dry-run=false => high | upgrade | web | one
helm upgrade web ./chart --force => critical | upgrade | web | one
helm upgrade web ./chart --sneaky => high | upgrade | web | unknown
helm upgrade web ./chart --post-renderer=/tmp/x => high | upgrade | web | one |  | --post-renderer=/tmp/x
helm rollback web 3 => high | rollback | web | one
helm uninstall web => critical | uninstall | web | one
helm delete web => critical | delete | web | one
helm uninstall web --dry-run => low | uninstall | web | one
helm test web => high | test | web | one
helm repo add x https://x => high | repo add | x | one
helm plugin install https://x => high | plugin install |  | unknown
helm diff upgrade web . => medium | diff upgrade | web | one
helm diff revision web 1 2 => medium | diff revision | web | one
helm diff upgrade web . --post-renderer=/tmp/x => high | diff upgrade | web | one |  | --post-renderer=/tmp/x
helm diff local a b => high | diff local |  | unknown
helm --kube-context=prod list => low | list |  | none |  | --kube-context=prod
helm --kube-apiserver https://x --kube-token=t list => high | list |  | none |  | --kube-apiserver=https://x --kube-token=t
helm list --kubeconfig=/x => high | list |  | none |  | --kubeconfig=/x
helm list --kube-as-user=root => high | list |  | none |  | --kube-as-user=root
helm list --registry-config=/x => high | list |  | none |  | --registry-config=/x
helm -- uninstall web => high |  |  | unknown
`);
});

describe('systemctl', () => {
  testTable(`
systemctl => low | list-units |  | none
systemctl status nginx => low | status | nginx | one
systemctl list-units --all --state=failed --plain --full --no-pager => low | list-units |  | none
systemctl show nginx --no-pager --property=Id,MainPID => low | show | nginx | one
systemctl is-active nginx => low | is-active | nginx | one
systemctl cat nginx => low | cat | nginx | one
systemctl show-environment => medium | show-environment |  | none
systemctl -t service list-units => low | list-units |  | none
systemctl restart nginx => high | restart | nginx | one
systemctl --no-block restart nginx => high | restart | nginx | one
systemctl restart --user nginx => high | restart | nginx | one
systemctl restart nginx php-fpm => high | restart | nginx php-fpm | several
systemctl restart sshd => critical | restart | sshd | one
systemctl stop NetworkManager => critical | stop | NetworkManager | one
systemctl stop nginx* => critical | stop | nginx* | selector
systemctl isolate rescue.target => critical | isolate | rescue.target | one
systemctl start reboot.target => critical | start | reboot.target | one
systemctl reload nginx => high | reload | nginx | one
systemctl enable --now nginx => high | enable | nginx | one
systemctl mask nginx => high | mask | nginx | one
systemctl kill -s KILL nginx => critical | kill | nginx | one
systemctl kill nginx => high | kill | nginx | one
systemctl daemon-reload => high | daemon-reload |  | none
systemctl daemon-reexec => critical | daemon-reexec |  | none
systemctl reboot => critical | reboot |  | none
systemctl poweroff -ff => critical | poweroff |  | none
systemctl clean nginx => critical | clean | nginx | one
systemctl -H root@other status nginx => high | status | nginx | one |  | --host=root@other
systemctl --host=other status => high | status |  | none |  | --host=other
systemctl -M box status => high | status |  | none |  | --machine=box
systemctl --root=/mnt status => high | status |  | none |  | --root=/mnt
systemctl --machi=box status => high | status |  | unknown |  | --machi=box
systemctl frob => high | frob |  | unknown
systemctl -- restart nginx => high | list-units | restart nginx | unknown
`);
});

describe('git', () => {
  testTable(`
git status => low | status |  | none
git -P log --oneline -n 5 => low | log |  | none
git log --output=/tmp/x => high | log |  | none
git diff --ext-diff => high | diff |  | none |  | --ext-diff
git show HEAD => low | show | HEAD | one
git -C /srv/app status => high | status |  | none |  | -C=/srv/app
git -c core.pager=/tmp/x log => high | log |  | none |  | -c=core.pager=/tmp/x
git -c core.fsmonitor=false -c protocol.ext.allow=never log => low | log |  | none
git -c core.fsmonitor=/tmp/x log => high | log |  | none |  | -c=core.fsmonitor=/tmp/x
git -c core.fsmonitor=false -c core.pager=/tmp/x log => high | log |  | none |  | -c=core.pager=/tmp/x
git -c protocol.ext.allow=always log => high | log |  | none |  | -c=protocol.ext.allow=always
git --config-env=core.pager=X log => high | log |  | none |  | --config-env=core.pager=X
git --exec-path=/tmp log => high | log |  | none |  | --exec-path=/tmp
git --git-dir=/x status => high | status |  | none |  | --git-dir=/x
git branch => low | branch |  | none
git branch -a => low | branch |  | none
git branch new => high | branch | new | one
git branch -D old => critical | branch | old | one
git branch -d old => high | branch | old | one
git tag => low | tag |  | none
git tag v1 => high | tag | v1 | one
git tag -d v1 => critical | tag | v1 | one
git remote -v => low | remote |  | none
git remote set-url origin https://x => high | remote |  | unknown
git stash list => low | stash |  | none
git stash => high | stash |  | none
git stash drop => critical | stash | drop | one
git reflog => low | reflog |  | none
git reflog expire --all => critical | reflog | expire | one
git config --list => medium | config |  | none
git config --get user.name => medium | config |  | none
git config core.pager /tmp/x => high | config |  | none
git ls-remote origin => medium | ls-remote | origin | one
git ls-remote --upload-pack=/tmp/x origin => high | ls-remote | origin | one |  | --upload-pack=/tmp/x
git fetch => high | fetch |  | none
git fetch --upload-pack /tmp/x origin => high | fetch | origin | one |  | --upload-pack=/tmp/x
git clone ext::sh%20-c%20id => high | clone | ext::sh%20-c%20id | one |  | ext::sh%20-c%20id
git clone -u /tmp/x https://x => high | clone | https://x | one |  | -u=/tmp/x
git pull => high | pull |  | none
git commit -m x => high | commit |  | none
git push => high | push |  | none
git push --force => critical | push |  | none
git push -f origin main => critical | push | origin main | several
git push --force-with-lease => critical | push |  | none
git push origin +main => critical | push | origin +main | several
git push origin :old => critical | push | origin :old | several
git push --delete origin old => critical | push | origin old | several
git push --mirror => critical | push |  | none
git push -n => low | push |  | none
git reset HEAD~1 => high | reset | HEAD~1 | one
git reset --hard => critical | reset |  | none
git clean -fdx => critical | clean |  | none
git clean -n => low | clean |  | none
git checkout main => high | checkout | main | one
git checkout -- file => critical | checkout | file | one
git checkout . => critical | checkout | . | one
git checkout -f main => critical | checkout | main | one
git restore file => critical | restore | file | one
git restore --staged file => high | restore | file | one
git rebase main => high | rebase | main | one
git gc --prune => critical | gc |  | none
git grep -O/tmp/x word => high | grep | word | unknown
git grep word => low | grep | word | one
git frob => high | frob |  | unknown
git -- status => high |  |  | unknown
`);
});

describe('ansible', () => {
  testTable(`
ansible all -m ping -i hosts => high | ping | all | all |  | --inventory=hosts
ansible web -m ping => medium | ping | web | unknown
ansible web -m setup --become => high | setup | web | unknown
ansible web -m shell -a reboot => high | shell | web | unknown
ansible all -m shell -a reboot => critical | shell | all | all
ansible all -a uptime => critical | command | all | all
ansible all -a uptime --limit web => high | command | web all | unknown
ansible web --list-hosts => low | command | web | unknown
ansible web -m ping -c local => high | ping | web | unknown |  | --connection=local
ansible web -m ping --private-key=/x => high | ping | web | unknown |  | --private-key=/x
ansible web -m ping -u root => high | ping | web | unknown |  | --user=root
ansible web -m ping -e ansible_connection=local => high | ping | web | unknown |  | --extra-vars=ansible_connection=local
ansible web -m ping --ssh-extra-args=-oProxyCommand=x => high | ping | web | unknown |  | --ssh-extra-args=-oProxyCommand=x
ansible web -m copy -a src=x => high | copy | web | unknown
ansible-playbook site.yml => high |  | site.yml | unknown
ansible-playbook site.yml --check --limit web => high |  | web site.yml | unknown
ansible-playbook site.yml --list-tasks => low |  | site.yml | unknown
ansible-playbook site.yml --syntax-check => low |  | site.yml | unknown
ansible-playbook -i evil.sh site.yml --list-hosts => high |  | site.yml | unknown |  | --inventory=evil.sh
ansible-playbook site.yml --vault-password-file=/tmp/x => high |  | site.yml | unknown |  | --vault-password-file=/tmp/x
ansible-inventory --list => medium |  |  | none
ansible-inventory --list --output=x => high |  |  | none
ansible-doc -t module copy => low |  | copy | none
ansible-galaxy list => low | list | list | none
ansible-galaxy collection install x => high | collection install | collection install x | none
ansible-config dump => medium | dump | dump | none
ansible-config init => high | init | init | none
`);
});
