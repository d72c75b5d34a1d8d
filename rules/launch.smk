# How stages are started: in how many processes, and how batches are passed.
from reactivate.experiment.launching import ROOT, launching
from reactivate.warm import server

# jobs on this machine, outside of images, fork from a process that has imported the libraries
WARM = (
    workflow.is_main_process
    and workflow.local_exec
    and not workflow.deployment_settings.deployment_method
)
GPUS = workflow.global_resources.get("gpu")
LAUNCH, PASSING = launching(config, GPUS and GPUS.value, warm=WARM)


onstart:
    if WARM:
        jobs = [job for job in workflow.dag.needrun_jobs() if job.rule.shellcmd]
        server.start(server.libraries_of(job.rule.name for job in jobs))
