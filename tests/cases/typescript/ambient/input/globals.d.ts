type BoxPath = string | URL;
declare var process: Box.Process;
declare namespace Box { interface Process { cwd(): BoxPath } }
