// ordinary: what a program in Go does, and a sandbox need not refuse.
package main

import (
	"fmt"
	"os"
	"os/exec"
)

func main() {
	results := make(chan int)
	for i := 0; i < 4; i++ {
		go func(i int) { results <- i * i }(i)
	}
	for i := 0; i < 4; i++ {
		<-results
	}
	file, err := os.CreateTemp("", "ordinary")
	if err != nil {
		panic(err)
	}
	file.WriteString("text")
	file.Close()
	os.Remove(file.Name())
	if err := exec.Command("true").Run(); err != nil {
		panic(err)
	}
	fmt.Println("done")
}
