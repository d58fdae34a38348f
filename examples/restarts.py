"""How often the containers of each pod restarted: opsagent sandbox run examples/restarts.py --file pods.json"""
import json

pods = json.load(open("/data/pods.json"))["items"]
result = {
    pod["metadata"]["name"]: sum(status["restartCount"] for status in pod["status"].get("containerStatuses", []))
    for pod in pods
}
