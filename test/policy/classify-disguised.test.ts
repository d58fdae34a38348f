import { describe } from 'vitest';
import { testTable } from './classify-table.js';

describe('changes that look like reads', () => {
  testTable(`
git rev-list HEAD => low | rev-list | HEAD | one
git rev-list --output=x HEAD => high | rev-list | HEAD | one
git remote -v => low | remote |  | none
git remote show origin => low | remote |  | none
git remote -v remove origin => high | remote |  | unknown
git remote --verbose add x y/z => high | remote |  | unknown
ansible web -m ping => medium | ping | web | unknown
ansible web -m debug -a msg={{lookup("pipe","id")}} => high | debug | web | unknown
ansible web -m ping -e x={%␣set␣y=1%} => high | ping | web | unknown
ansible web -m setup -a fact_path=/tmp/x => high | setup | web | unknown
kubectl get --raw=/api/v1/pods?limit=5%25 => medium | get |  | none
kubectl get --raw=/api/v1/namespaces/x/services/y/proxy/stop => high | get |  | none
kubectl get --raw=/api/v1/namespaces/x/services/y/%70roxy/stop => high | get |  | none
kubectl get --raw /api/v1/namespaces/x/services/y%2Fproxy%2Fstop => high | get |  | none
kubectl get --raw=/api/v1/x/%2570roxy/ => high | get |  | none
kubectl get --raw=/api/v1/x/%zz => high | get |  | none
chronyc tracking => low |  |  | none
chronyc -m tracking makestep => high |  |  | unknown
chronyc -nm tracking makestep => high |  |  | unknown
smartctl -l error /dev/sda => low |  |  | none
smartctl -l scterc,0,0 /dev/sda => high |  |  | unknown
smartctl -l scttempint,5 /dev/sda => high |  |  | unknown
pmap -x 12 => low |  |  | none
pmap -N /etc/x => high |  |  | unknown
blkid -o value /dev/sda1 => medium |  |  | none
blkid -w /etc/x => high |  |  | unknown
blkid -g => high |  |  | unknown
docker run -v /srv/data:/etc/app alpine => high | run | alpine | one
docker run -v data:/home alpine => high | run | alpine | one
docker run -v //etc:/x alpine => critical | run | alpine | one
docker run -v /./etc:/x alpine => critical | run | alpine | one
docker run -v/srv/../etc:/x alpine => critical | run | alpine | one
docker run -v ../../etc:/x alpine => critical | run | alpine | one
docker run --mount type=bind,"source=/etc",target=/h alpine => critical | run | alpine | one
docker run --mount type=bind,target=/h,src=/srv/.. alpine => critical | run | alpine | one
`);
});
